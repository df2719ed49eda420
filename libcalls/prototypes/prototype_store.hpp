// Prototypes that are made at run time, from configuration files or debug information, with everything their types
// refer to.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syscalls/function.hpp"
#include "syscalls/layout_plan.hpp"

namespace strut {

/// Owns descriptions of functions; references to them are valid as long as it lives.
class PrototypeStore {
 public:
  PrototypeStore() = default;
  PrototypeStore(PrototypeStore&&) = default;
  PrototypeStore& operator=(PrototypeStore&&) = default;

  /// nullptr: there is none of this name.
  const FunctionDesc* find(std::string_view name) const;
  size_t size() const { return functions_.size(); }

  /// Adds a function, or replaces the one of its name.
  const FunctionDesc& add(FunctionDesc desc, std::string_view name, std::vector<ArgType> args);

  // -- data that types refer to ----------------------------------------------------------------------
  const char* keep(std::string_view text);
  const Type& keep(const Type& type);
  const ConstantSet& keep_enumeration(std::vector<Constant> entries);
  /// A structure without members yet: they may point to it.
  StructLayout& declare_structure(std::string_view name);
  /// Sets its members; sizes of their types must be final.
  void define_structure(StructLayout& layout, std::vector<FieldType> fields);

 private:
  std::deque<std::string> texts_;
  std::deque<Type> types_;
  std::deque<std::vector<Constant>> constants_;
  std::deque<ConstantSet> sets_;
  std::deque<std::vector<FieldType>> fields_;
  std::deque<StructLayout> layouts_;
  std::deque<LayoutPlan> plans_;
  std::deque<std::vector<ArgType>> args_;
  std::unordered_map<std::string_view, std::unique_ptr<FunctionDesc>> functions_;
};

}  // namespace strut
