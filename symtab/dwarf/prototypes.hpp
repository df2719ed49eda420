// Arguments and results of functions, as far down as their types go: from debug information.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strut {

class DebugInformation;
class DwarfFile;

/// A type by its entry. Only the Prototypes that it came from can read it. Empty: void.
struct CTypeRef {
  const DwarfFile* file = nullptr;
  void* entry = nullptr;  ///< where it lies in memory
  auto operator<=>(const CTypeRef&) const = default;
  bool is_void() const { return file == nullptr; }
};

/// A member of a structure or union; a base class is one without a name.
struct CField {
  std::string_view name;
  CTypeRef type;
  uint64_t bit_offset = 0;  ///< from the beginning of the structure
  uint32_t bits = 0;        ///< for a bit field; 0: it is none
};

struct CEnumerator {
  std::string_view name;
  int64_t value = 0;
};

/// One type, without its qualifiers and typedefs, which are noted beside it.
struct CType {
  enum class Kind : uint8_t {
    Unknown,
    Void,
    Bool,
    Char,
    Signed,
    Unsigned,
    Float,
    Complex,
    Enum,
    Pointer,
    Reference,
    Array,
    Struct,
    Union,
    Function
  };
  Kind kind = Kind::Unknown;
  std::string_view name;   ///< for a base type, or the tag of a structure; empty: none
  std::string_view alias;  ///< the outermost typedef it was named by; empty: none
  bool is_const = false;
  bool is_incomplete = false;  ///< declared only
  uint64_t bytes = 0;          ///< 0: not said
  CTypeRef target;             ///< for a Pointer, Reference or Array; the storage of an Enum; the result of a Function
  std::vector<uint64_t> counts;          ///< for an Array, the outermost first; 0: unknown
  std::vector<CField> fields;            ///< for a Struct or Union
  std::vector<CEnumerator> enumerators;  ///< for an Enum
  std::vector<CTypeRef> parameters;      ///< for a Function
  std::vector<CTypeRef> template_types;  ///< for a Struct: its template's arguments that are types
  bool is_copied_by_code = false;        ///< for a Struct: calls pass its address (C++); see type_entries.cpp
  bool is_rust = false;
  bool is_variadic = false;  ///< for a Function
};

struct CParameter {
  std::string_view name;  ///< empty: not said
  CTypeRef type;
};

struct Prototype {
  std::string_view name;  ///< the linkage name, where there is one
  CTypeRef result;
  std::vector<CParameter> parameters;  ///< `this` included
  bool is_variadic = false;
  /// The compiler, which knows all callers, has left arguments out or moved them: they are not where the ABI has them.
  bool is_altered = false;
};

/// The prototypes of one module. Types are read when they are asked for; views and references live as long as it does.
/// Not for use by several threads at once.
class Prototypes {
 public:
  Prototypes() = default;  ///< nothing is known
  explicit Prototypes(std::shared_ptr<const DebugInformation> debug) : debug_(std::move(debug)) {}

  /// For the function with an address in its code.
  std::optional<Prototype> at(uint64_t file_address) const;
  /// For a function by its name or linkage name. The first call reads the names of all units.
  std::optional<Prototype> named(std::string_view name) const;

  const CType& type(CTypeRef ref) const;
  /// Arguments of this type are addresses of objects though they look like objects: C++ ("non-trivial for the purposes
  /// of calls", Itanium C++ ABI, 1.1), Rust (objects of more than two words).
  bool is_passed_by_address(CTypeRef ref) const;
  /// As C writes it: "const char *", "int (*)(void *, unsigned long)". Bounded in length and depth.
  std::string text(CTypeRef ref) const;
  /// "int (const char *, ...)"
  std::string text(const Prototype& prototype) const;

 private:
  std::string declaration(CTypeRef ref, std::string inner, int depth) const;

  std::shared_ptr<const DebugInformation> debug_;
  mutable std::map<CTypeRef, CType> types_;
};

}  // namespace strut
