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
    {"char", 1, true},
    {"short", 2, true},
    {"int", 4, true},
    {"long", 8, true},
    {"unsigned char", 1, false},
    {"unsigned short", 2, false},
    {"unsigned int", 4, false},
    {"unsigned long", 8, false},
    {"int8_t", 1, true},
    {"int16_t", 2, true},
    {"int32_t", 4, true},
    {"int64_t", 8, true},
    {"uint8_t", 1, false},
    {"uint16_t", 2, false},
    {"uint32_t", 4, false},
    {"uint64_t", 8, false},
    {"intptr_t", 8, true},
    {"uintptr_t", 8, false},
    {"ptrdiff_t", 8, true},
    {"size_t", 8, false},
    {"ssize_t", 8, true},
    {"off_t", 8, true},
    {"off64_t", 8, true},
    {"offset_t", 8, true},
    {"loff_t", 8, true},
    {"pid_t", 4, true},
    {"id_t", 4, true},
    {"uid_t", 4, false},
    {"gid_t", 4, false},
    {"zoneid_t", 4, true},
    {"processorid_t", 4, true},
    {"time_t", 8, true},
    {"clock_t", 8, true},
    {"hrtime_t", 8, true},
    {"dev_t", 8, false},
    {"major_t", 4, false},
    {"minor_t", 4, false},
    {"ino_t", 8, false},
    {"mode_t", 4, false},
    {"nlink_t", 8, false},
    {"blkcnt_t", 8, true},
    {"socklen_t", 4, false},
    {"uchar_t", 1, false},
    {"ushort_t", 2, false},
    {"uint_t", 4, false},
    {"ulong_t", 8, false},
    {"longlong_t", 8, true},
    {"u_longlong_t", 8, false},
    {"u_char", 1, false},
    {"u_short", 2, false},
    {"u_int", 4, false},
    {"u_long", 8, false},
    {"boolean_t", 4, true},
    {"bool", 1, false},
    {"ushort", 2, false},
    {"uint", 4, false},
    {"ulong", 8, false},
    {"u_int8_t", 1, false},
    {"u_int16_t", 2, false},
    {"u_int32_t", 4, false},
    {"u_int64_t", 8, false},
    {"quad_t", 8, true},
    {"u_quad_t", 8, false},
    {"key_t", 4, true},
    {"daddr_t", 4, true},
    {"clockid_t", 4, true},
    {"suseconds_t", 8, true},
    {"useconds_t", 4, false},
    {"blksize_t", 8, true},
    {"fsblkcnt_t", 8, false},
    {"fsfilcnt_t", 8, false},
    {"intmax_t", 8, true},
    {"uintmax_t", 8, false},
    {"taskid_t", 4, true},
    {"projid_t", 4, true},
    {"poolid_t", 4, true},
    {"lgrp_id_t", 4, true},
    {"cpuid_t", 4, true},
    {"chipid_t", 4, true},
    {"psetid_t", 4, true},
    {"ipaddr_t", 4, false},
    {"in_addr_t", 4, false},
    {"in_port_t", 2, false},
    {"sa_family_t", 2, false},
    {"__u8", 1, false},
    {"__u16", 2, false},
    {"__u32", 4, false},
    {"__u64", 8, false},
    {"__s8", 1, true},
    {"__s16", 2, true},
    {"__s32", 4, true},
    {"__s64", 8, true},
    {"u8", 1, false},
    {"u16", 2, false},
    {"u32", 4, false},
    {"u64", 8, false},
    {"s8", 1, true},
    {"s16", 2, true},
    {"s32", 4, true},
    {"s64", 8, true},
};

/// As a member, or an element of an array of C.
constexpr uint32_t kStringBytes = 256;

/// "int (*)(char)" for a pointer to "int (char)".
std::string name_of_pointer(const DType& target) {
  if (target.kind != DType::Kind::Function && target.kind != DType::Kind::Array)
    return target.name + (target.kind == DType::Kind::Pointer ? "*" : " *");
  size_t bracket = target.name.find(target.kind == DType::Kind::Function ? " (" : " [");
  return target.name.substr(0, bracket) + " (*)" + target.name.substr(bracket + 1);
}

}  // namespace

DTypes::DTypes() {
  void_ = add({.kind = DType::Kind::Void, .name = "void", .bytes = 0});
  string_ =
      add({.kind = DType::Kind::String, .name = "string", .bytes = kStringBytes, .special = {DShape::Kind::Text}});
  define("void", void_);
  define("string", string_);
  add_integers();
  add_floats();
  add_typedefs();
  add_addresses();
}

void DTypes::add_floats() {
  constexpr std::string_view kFloats[] = {"float", "double", "long double"};
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t bytes = 4u << i;
    floats_[i] = add({.kind = DType::Kind::Float, .name = std::string(kFloats[i]), .bytes = bytes, .align = bytes});
    define(std::string(kFloats[i]), floats_[i]);
  }
}

const DType* DTypes::floating(uint32_t bytes) const { return floats_[bytes / 8]; }

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
  for (const IntegerName& row : kNames) alias(std::string(row.name), integer(row.bytes, row.is_signed));
  constexpr std::string_view kTranslated[] = {"psinfo_t", "lwpsinfo_t", "fileinfo_t"};
  for (size_t i = 0; i < kDTranslatedKinds; i++) {
    translated_[i] = add({.kind = DType::Kind::Translated,
                          .name = std::string(kTranslated[i]),
                          .translated = static_cast<DTranslated>(i)});
    define(std::string(kTranslated[i]), translated_[i]);
  }
  define("__builtin_va_list", pointer_to(void_));
  define("_Bool", integer(1, false));
  define("caddr_t", pointer_to(integer(1, true)));
}

/// struct in_addr and struct in6_addr, with the members of <linux/in.h> and <linux/in6.h>.
void DTypes::add_addresses() {
  DType* four = declare("struct in_addr", false);
  complete(four, {{.name = "s_addr", .type = find("in_addr_t")}});
  DType* parts = anonymous("union", true);
  complete(parts, {{.name = "u6_addr8", .type = array_of(integer(1, false), 16)},
                   {.name = "u6_addr16", .type = array_of(integer(2, false), 8)},
                   {.name = "u6_addr32", .type = array_of(integer(4, false), 4)}});
  DType* six = declare("struct in6_addr", false);
  complete(six, {{.name = "in6_u", .type = parts}});
  four->is_prelude = six->is_prelude = true;
  define("in6_addr_t", six);
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

const DType* DTypes::pointer_to(const DType* target, Leads leads) {
  const DType*& type = pointers_[{target, leads}];
  if (type == nullptr)
    type = add({.kind = DType::Kind::Pointer,
                .name = name_of_pointer(*target),
                .bytes = 8,
                .align = 8,
                .leads_into_program = leads == Leads::IntoProgram,
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

const DType* DTypes::function_of(const DType* result, const std::vector<const DType*>& parameters, bool has_more) {
  std::string name = result->name + " (";
  for (const DType* parameter : parameters) name += (name.ends_with('(') ? "" : ", ") + parameter->name;
  if (has_more) name += parameters.empty() ? "..." : ", ...";
  return add({.kind = DType::Kind::Function, .name = name + ')', .target = result});
}

const DType* DTypes::enumeration(std::string name, std::vector<DEnumerator> enumerators) {
  return add({.kind = DType::Kind::Integer,
              .name = std::move(name),
              .bytes = 4,
              .align = 4,
              .is_signed = true,
              .enumerators = std::move(enumerators)});
}

void DTypes::alias(const std::string& name, const DType* type) {
  bool has_name = type->is_integer() && !type->is_enumeration() && type->name != name;
  if (!has_name) return define(name, type);
  DType copy = *type;
  copy.name = name;
  if (copy.alias_of == nullptr) copy.alias_of = type;
  define(name, add(std::move(copy)));
}

bool is_same(const DType& a, const DType& b) {
  const DType& left = a.alias_of != nullptr ? *a.alias_of : a;
  const DType& right = b.alias_of != nullptr ? *b.alias_of : b;
  if (&left == &right) return true;
  bool has_target = left.kind == DType::Kind::Pointer || left.kind == DType::Kind::Array;
  return has_target && left.kind == right.kind && left.count == right.count && is_same(*left.target, *right.target);
}

const DType* DTypes::find(std::string_view name) const {
  auto at = names_.find(name);
  return at == names_.end() ? nullptr : at->second;
}

const int64_t* DTypes::enumerator(std::string_view name) const {
  auto at = enumerators_.find(name);
  return at == enumerators_.end() ? nullptr : &at->second;
}

DType* DTypes::anonymous(std::string name, bool is_union) {
  return add({.kind = DType::Kind::Struct, .name = std::move(name), .is_complete = false, .is_union = is_union});
}

DType* DTypes::declare(std::string name, bool is_union) {
  if (auto at = names_.find(name); at != names_.end()) return const_cast<DType*>(at->second);
  DType* type = anonymous(name, is_union);
  define(std::move(name), type);
  return type;
}

DType* DTypes::redeclare(std::string name, bool is_union) {
  names_.erase(name);
  return declare(std::move(name), is_union);
}

void DTypes::complete_from_source(const DType* type) {
  bool is_wanted = type->kind == DType::Kind::Struct && !type->is_complete && !type->is_open;
  DTypeSource* source = type->source != nullptr ? type->source : source_;
  if (is_wanted && source != nullptr) source->complete(*this, const_cast<DType*>(type));
}

const DType* DTypes::common(const DType* a, const DType* b) const {
  if (a->is_enumeration()) a = int_type();
  if (b->is_enumeration()) b = int_type();
  if (a->bytes != b->bytes) return a->bytes > b->bytes ? a : b;
  return a->is_signed ? b : a;
}

DShape shape_of(const DType& type) {
  switch (type.kind) {
    case DType::Kind::Integer: return {DShape::Kind::Integer, type.bytes, type.is_signed};
    case DType::Kind::Pointer:
    case DType::Kind::Array: return {DShape::Kind::Integer, 8, false};
    case DType::Kind::Struct:
    case DType::Kind::Float: return {DShape::Kind::Bytes};
    case DType::Kind::String:
    case DType::Kind::Special: return type.special;
    default: return {};
  }
}

DShape key_shape_of(const DType& type) {
  return type.is_in_memory() ? DShape{DShape::Kind::Bytes, type.bytes, false} : shape_of(type);
}

}  // namespace strut
