// The types of D: C's, and a few of its own.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dlang/compiler/shape.hpp"
#include "dlang/language/builtin.hpp"

namespace strut {

struct DType;
class DTypeSource;

/// A member of a structure or union, laid out by the x86-64 ABI.
struct DMember {
  std::string name;  ///< empty: an anonymous structure; its members are also those of the structure around it
  const DType* type = nullptr;
  uint32_t offset_bytes = 0;  ///< for a bit-field: of the integer that it is a part of
  bool is_bit_field = false;
  uint8_t bits = 0;       ///< for a bit-field: its width
  uint8_t first_bit = 0;  ///< the bit-field's lowest bit in the integer
};
/// A name of an enumeration.
struct DEnumerator {
  std::string name;
  int64_t value = 0;
};

/// A type. Owned by DTypes, compared by address.
struct DType {
  enum class Kind : uint8_t {
    Void,
    Integer,  ///< an enumeration, too
    Float,    ///< in memory only: D has no arithmetic for it
    String,   ///< D's own: bytes up to a NUL, at most strsize with it
    Pointer,
    Array,
    Struct,      ///< a union, too
    Function,    ///< only pointers to it have values
    Translated,  ///< psinfo_t …: members are asked from the backend, there is no memory
    Special,     ///< stacks and symbols: only for actions and keys of aggregations
  };
  Kind kind = Kind::Void;
  std::string name;  ///< as messages have it: "int", "struct foo *"
  uint32_t bytes = 0;
  uint32_t align = 1;
  bool is_signed = false;
  bool is_complete = true;
  bool is_prelude = false;  ///< known without a declaration: a program may have its own
  bool is_open = false;     ///< its members are being read: none of them can be of this type
  bool is_union = false;
  const DType* alias_of = nullptr;  ///< for a typedef of an integer: messages and print() have its own name
  bool leads_into_program = false;  ///< a pointer to the memory of the program that is probed
  DTypeSource* source = nullptr;    ///< of a structure's members; nullptr: DTypes::set_source()'s
  const DType* target = nullptr;    ///< the type that a pointer refers to, an array's element, a function's result
  uint32_t count = 0;               ///< for an array
  std::vector<DMember> members;
  std::vector<DEnumerator> enumerators;  ///< for an enumeration
  DTranslated translated{};
  DShape special{};  ///< the shape in a record

  bool is_integer() const { return kind == Kind::Integer; }
  bool is_string() const { return kind == Kind::String; }
  bool is_pointer() const { return kind == Kind::Pointer || kind == Kind::Array; }
  /// A string, or an array of characters: a pointer to them is none.
  bool is_text() const { return is_string() || (kind == Kind::Array && target->is_integer() && target->bytes == 1); }
  /// A pointer, or a string, which is an array of characters.
  bool is_address() const { return is_pointer() || is_string(); }
  bool is_scalar() const { return is_integer() || is_pointer(); }
  /// Values that strut composes for their members: the pointer has no address.
  bool is_dynamic() const { return is_pointer() && target->kind == Kind::Translated; }
  bool is_enumeration() const { return !enumerators.empty(); }
  /// Values lie in memory: the register of an expression of this type has their address.
  bool is_in_memory() const { return kind == Kind::Array || kind == Kind::Struct || kind == Kind::Float; }
};

/// The shape of a key of this type: a string, a number, or the bytes of a value in memory.
DShape key_shape_of(const DType& type);

/// Whether two types are one, names by typedef aside.
bool is_same(const DType& a, const DType& b);

/// A member, or one of an anonymous structure within; its offset is from the beginning of `structure`.
std::optional<DMember> find_member(const DType& structure, std::string_view name);

class DTypes;

/// Structures that programs may name without declaring them.
class DTypeSource {
 public:
  virtual ~DTypeSource() = default;
  /// Gives a structure that has none its members, if there is one of its name.
  virtual void complete(DTypes& types, DType* structure) = 0;
  /// The type that a typedef's name or "enum x" stands for; nullptr: there is none.
  virtual const DType* find(DTypes& types, std::string_view name) = 0;
};

/// All types of a program.
class DTypes {
 public:
  DTypes();
  DTypes(const DTypes&) = delete;

  const DType* void_type() const { return void_; }
  const DType* string() const { return string_; }
  const DType* int_type() const { return integer(4, true); }
  /// `bytes` is 1, 2, 4 or 8.
  const DType* integer(uint32_t bytes, bool is_signed) const;
  const DType* translated(DTranslated which) const { return translated_[static_cast<size_t>(which)]; }
  const DType* special(DShape::Kind kind, std::string_view name);

  /// The memory that a pointer leads to: scratch and the kernel's, or that of the program that is probed.
  enum class Leads : uint8_t { Here, IntoProgram };
  const DType* pointer_to(const DType* target, Leads leads = Leads::Here);
  const DType* array_of(const DType* element, uint32_t count);
  const DType* function_of(const DType* result, const std::vector<const DType*>& parameters, bool has_more);
  /// `bytes` is 4, 8 or 16.
  const DType* floating(uint32_t bytes) const;
  const DType* enumeration(std::string name, std::vector<DEnumerator> enumerators);

  /// A type as C spells it: what find() and the source of types know, a structure by its tag, pointers to these,
  /// const and volatile aside; nullptr: there is none.
  const DType* spelled(std::string_view text);
  /// A basic type, a typedef, "struct x", "union x", "enum x"; nullptr: there is none of this name.
  const DType* find(std::string_view name) const;
  void define(std::string name, const DType* type) { names_[std::move(name)] = type; }
  /// typedef.
  void alias(const std::string& name, const DType* type);

  /// A structure or union yet without members, or the one of this tag that exists.
  DType* declare(std::string name, bool is_union);
  /// A new one in the place of a prelude's, which others may have as a member.
  DType* redeclare(std::string name, bool is_union);
  /// One without a tag.
  DType* anonymous(std::string name, bool is_union);
  /// Where structures that are used without a declaration come from; outlives the types.
  void set_source(DTypeSource* source) { source_ = source; }
  /// As its source has it, if it has no members yet.
  void complete_from_source(const DType* type);
  /// As find(); a typedef or enumeration that only the source knows becomes known.
  const DType* find_or_ask(std::string_view name);
  /// Lays out the members.
  static void complete(DType* type, std::vector<DMember> members);

  /// An enumerator's value by its name; nullptr: none.
  const int64_t* enumerator(std::string_view name) const;
  void define_enumerator(std::string name, int64_t value) { enumerators_[std::move(name)] = value; }

  /// The type of arithmetic with two integers: the larger one, and of two of a size the unsigned one (DTrace Guide,
  /// "Type Conversions"). Small types stay small. Only the type: values have 64 bits until they are stored or recorded.
  const DType* common(const DType* a, const DType* b) const;

 private:
  DType* add(DType type);
  void add_integers();
  void add_typedefs();
  void add_addresses();
  void add_floats();

  DTypeSource* source_ = nullptr;
  std::deque<DType> types_;
  std::map<std::string, const DType*, std::less<>> names_;
  std::map<std::string, int64_t, std::less<>> enumerators_;
  std::map<std::pair<const DType*, Leads>, const DType*> pointers_;
  std::map<std::pair<const DType*, uint32_t>, const DType*> arrays_;
  std::map<std::pair<DShape::Kind, std::string>, const DType*> specials_;
  const DType* void_ = nullptr;
  const DType* string_ = nullptr;
  const DType* integers_[2][4] = {};
  const DType* floats_[3] = {};
  const DType* translated_[kDTranslatedKinds] = {};
};

/// How a value of this type is recorded, kept and printed.
DShape shape_of(const DType& type);

}  // namespace strut
