#include "dlang/language/type.hpp"

#include <algorithm>
#include <bit>

namespace strut {
namespace {

struct IntegerName {
  std::string_view name;
  uint32_t bytes;
  bool is_signed;
};

// C's names as in messages, then the names of <sys/types.h> (Solaris and Linux) and <stdint.h> on x86-64.
constexpr IntegerName kNames[] = {
    {"char", 1, true},           {"short", 2, true},           {"int", 4, true},           {"long", 8, true},
    {"unsigned char", 1, false}, {"unsigned short", 2, false}, {"unsigned int", 4, false}, {"unsigned long", 8, false},
    {"int8_t", 1, true},         {"int16_t", 2, true},         {"int32_t", 4, true},       {"int64_t", 8, true},
    {"uint8_t", 1, false},       {"uint16_t", 2, false},       {"uint32_t", 4, false},     {"uint64_t", 8, false},
    {"intptr_t", 8, true},       {"uintptr_t", 8, false},      {"ptrdiff_t", 8, true},     {"size_t", 8, false},
    {"ssize_t", 8, true},        {"off_t", 8, true},           {"off64_t", 8, true},       {"offset_t", 8, true},
    {"loff_t", 8, true},         {"pid_t", 4, true},           {"id_t", 4, true},          {"uid_t", 4, false},
    {"gid_t", 4, false},         {"zoneid_t", 4, true},        {"processorid_t", 4, true}, {"time_t", 8, true},
    {"clock_t", 8, true},        {"hrtime_t", 8, true},        {"dev_t", 8, false},        {"major_t", 4, false},
    {"minor_t", 4, false},       {"ino_t", 8, false},          {"mode_t", 4, false},       {"nlink_t", 8, false},
    {"blkcnt_t", 8, true},       {"socklen_t", 4, false},      {"uchar_t", 1, false},      {"ushort_t", 2, false},
    {"uint_t", 4, false},        {"ulong_t", 8, false},        {"longlong_t", 8, true},    {"u_longlong_t", 8, false},
    {"u_char", 1, false},        {"u_short", 2, false},        {"u_int", 4, false},        {"u_long", 8, false},
    {"boolean_t", 4, true},      {"bool", 1, false},
};

}  // namespace

DTypes::DTypes() {
  void_ = add({.kind = DType::Kind::Void, .name = "void", .bytes = 0});
  string_ = add({.kind = DType::Kind::String, .name = "string", .bytes = 0, .special = {DShape::Kind::Text}});
  define("void", void_);
  define("string", string_);
  add_integers();
  add_typedefs();
}

void DTypes::add_integers() {
  for (size_t i = 0; i < 8; i++) {
    const IntegerName& row = kNames[i];
    const DType* type = add({.kind = DType::Kind::Integer,
                             .name = std::string(row.name),
                             .bytes = row.bytes,
                             .align = row.bytes,
                             .is_signed = row.is_signed});
    integers_[row.is_signed ? 1 : 0][std::countr_zero(row.bytes)] = type;
  }
}

void DTypes::add_typedefs() {
  for (const IntegerName& row : kNames) define(std::string(row.name), integer(row.bytes, row.is_signed));
  constexpr std::string_view kTranslated[] = {"psinfo_t", "lwpsinfo_t", "fileinfo_t"};
  for (size_t i = 0; i < kDTranslatedKinds; i++) {
    translated_[i] = add({.kind = DType::Kind::Translated,
                          .name = std::string(kTranslated[i]),
                          .translated = static_cast<DTranslated>(i)});
    define(std::string(kTranslated[i]), translated_[i]);
  }
  define("caddr_t", pointer_to(integer(1, true)));
}

DType* DTypes::add(DType type) { return &types_.emplace_back(std::move(type)); }

const DType* DTypes::integer(uint32_t bytes, bool is_signed) const {
  return integers_[is_signed ? 1 : 0][std::countr_zero(bytes)];
}

const DType* DTypes::special(DShape::Kind kind, std::string_view name) {
  const DType*& type = specials_[{kind, std::string(name)}];
  if (type == nullptr) type = add({.kind = DType::Kind::Special, .name = std::string(name), .special = {kind}});
  return type;
}

const DType* DTypes::pointer_to(const DType* target) {
  const DType*& type = pointers_[target];
  if (type == nullptr)
    type = add({.kind = DType::Kind::Pointer,
                .name = target->name + (target->kind == DType::Kind::Pointer ? "*" : " *"),
                .bytes = 8,
                .align = 8,
                .target = target});
  return type;
}

const DType* DTypes::array_of(const DType* element, uint32_t count) {
  const DType*& type = arrays_[{element, count}];
  if (type == nullptr)
    type = add({.kind = DType::Kind::Array,
                .name = element->name + " [" + std::to_string(count) + ']',
                .bytes = element->bytes * count,
                .align = element->align,
                .target = element,
                .count = count});
  return type;
}

const DType* DTypes::find(std::string_view name) const {
  auto at = names_.find(name);
  return at == names_.end() ? nullptr : at->second;
}

const int64_t* DTypes::enumerator(std::string_view name) const {
  auto at = enumerators_.find(name);
  return at == enumerators_.end() ? nullptr : &at->second;
}

DType* DTypes::declare(std::string name) {
  if (auto at = names_.find(name); at != names_.end()) return const_cast<DType*>(at->second);
  DType* type = add({.kind = DType::Kind::Struct, .name = name, .is_complete = false});
  define(std::move(name), type);
  return type;
}

void DTypes::complete(DType* type, std::vector<DMember> members, bool is_union) {
  uint64_t end = 0;
  uint32_t align = 1;
  for (DMember& member : members) {
    align = std::max(align, member.type->align);
    uint64_t at = is_union ? 0 : (end + member.type->align - 1) / member.type->align * member.type->align;
    member.offset_bytes = static_cast<uint32_t>(std::min<uint64_t>(at, UINT32_MAX));
    end = std::max(end, at + member.type->bytes);
  }
  type->members = std::move(members);
  type->align = align;
  type->bytes = static_cast<uint32_t>(std::min<uint64_t>((end + align - 1) / align * align, INT32_MAX));
  type->is_complete = true;
}

const DType* DTypes::promoted(const DType* type) const { return type->bytes < 4 ? int_type() : type; }

const DType* DTypes::common(const DType* a, const DType* b) const {
  a = promoted(a);
  b = promoted(b);
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? a : b;
  return a->is_signed ? b : a;
}

DShape shape_of(const DType& type) {
  switch (type.kind) {
    case DType::Kind::Integer: return {DShape::Kind::Integer, static_cast<uint8_t>(type.bytes), type.is_signed};
    case DType::Kind::Pointer:
    case DType::Kind::Array: return {DShape::Kind::Integer, 8, false};
    case DType::Kind::String:
    case DType::Kind::Special: return type.special;
    default: return {};
  }
}

}  // namespace strut
