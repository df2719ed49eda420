// Prototypes from debug information: names, types, enumerations and structures of a module's own functions.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "libcalls/prototypes/known_structures.hpp"
#include "libcalls/prototypes/prototype_store.hpp"
#include "symtab/dwarf/prototypes.hpp"

namespace strut {

/// Turns a module's debug information into descriptions, on request. `prototypes` and `store`
/// outlive it.
///
/// A `char *` points to a string. Other objects behind pointers are followed a few levels; those that a function
/// may write to (no const) are shown as before => after. Bit fields and all but the first member of unions are left
/// out. Structures that stand for values which people know have layouts of their own (known_structures.hpp).
class DwarfPrototypes {
 public:
  DwarfPrototypes(const Prototypes& prototypes, PrototypeStore& store) : prototypes_(prototypes), store_(store) {}

  /// nullptr: nothing is known of it. Kept in the store under its name.
  const FunctionDesc* named(std::string_view name);
  /// For the function with an address in its code; `name` is its name in the store.
  const FunctionDesc* at(uint64_t file_address, std::string_view name);

 private:
  const FunctionDesc* described(std::string_view name, const Prototype& prototype);
  ArgType argument(const CParameter& parameter);
  Type type_of(CTypeRef ref, int levels);
  Type pair_in_registers(CTypeRef ref);
  Type result_of(CTypeRef ref);
  Type known_type(CTypeRef ref, int levels);
  Type pointer_to_type(const CType& pointer, int levels);
  Type array(const CType& type, size_t dimension, int levels);
  Type enumeration_of(const CType& type);
  std::optional<Type> structure_of(CTypeRef ref, int levels);
  std::vector<FieldType> fields_of(const CType& type, int levels);
  std::vector<FieldType> fields_of(const KnownStructure& known, int levels);

  const Prototypes& prototypes_;
  PrototypeStore& store_;
  int nested_ = 0;  ///< types within types: damaged files have them without end
  std::map<std::pair<CTypeRef, int>, StructLayout*> layouts_;  ///< by type and levels that are left to be followed
};

}  // namespace strut
