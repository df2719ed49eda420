#include "dtrace/providers/dwarf_types.hpp"

#include <algorithm>

#include "pid-provider/site_variables.hpp"

namespace strut {
namespace {

using CKind = CType::Kind;

constexpr int kMaxTypeDepth = 16;
constexpr uint64_t kMaxTypeBytes = 1 << 24;

bool has_integer_size(uint64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8; }

/// Members with their places and types: two structures that differ in nothing of it are one.
std::string looks_of(const Prototypes& from, const CType& type) {
  std::string text = (type.kind == CKind::Union ? "union " : "struct ") + std::string(type.name) + ':' +
                     std::string(type.alias) + ':' + std::to_string(type.bytes);
  for (const CField& field : type.fields)
    text += ';' + std::string(field.name) + '@' + std::to_string(field.bit_offset) + ':' + std::to_string(field.bits) +
            ' ' + from.text(field.type);
  return text;
}

}  // namespace

const DType* DwarfTypes::type(DTypes& types, const Prototypes& from, CTypeRef ref) {
  return type(types, Origin{&from, ref}, 0);
}

const DType* DwarfTypes::type(DTypes& types, Origin origin, int depth) {
  const CType& type = origin.from->type(origin.ref);
  if (depth > kMaxTypeDepth || type.bytes > kMaxTypeBytes) return nullptr;
  switch (type.kind) {
    case CKind::Void: return types.void_type();
    case CKind::Bool:
    case CKind::Char:
    case CKind::Signed:
    case CKind::Unsigned: return integer(types, type);
    case CKind::Enum: return enumeration(types, type);
    case CKind::Float:
      if (type.bytes == 4 || type.bytes == 8 || type.bytes == 16)
        return types.floating(static_cast<uint32_t>(type.bytes));
      return nullptr;
    case CKind::Pointer:
    case CKind::Reference: return pointer(types, origin, type, depth);
    case CKind::Array: return array(types, origin, type, depth);
    case CKind::Struct:
    case CKind::Union: return structure(types, origin, type);
    default: return nullptr;
  }
}

const DType* DwarfTypes::integer(DTypes& types, const CType& type) const {
  if (!has_integer_size(type.bytes)) return types.array_of(types.integer(1, false), static_cast<uint32_t>(type.bytes));
  return types.integer(static_cast<uint32_t>(type.bytes), is_signed_in_c(type));
}

/// Integers of an int's size have names; D's others are integers.
const DType* DwarfTypes::enumeration(DTypes& types, const CType& type) {
  if (type.bytes != sizeof(int32_t) || type.enumerators.empty()) return integer(types, type);
  std::string name = "enum " + std::string(type.name), looks = name;
  std::vector<DEnumerator> enumerators;
  for (const CEnumerator& one : type.enumerators) {
    enumerators.push_back({std::string(one.name), static_cast<int32_t>(one.value)});
    looks += ';' + enumerators.back().name + '=' + std::to_string(one.value);
  }
  const DType*& known = enumerations_[looks];
  if (known == nullptr) known = types.enumeration(std::move(name), std::move(enumerators));
  return known;
}

const DType* DwarfTypes::pointer(DTypes& types, Origin origin, const CType& type, int depth) {
  const DType* target = type.target.is_void() ? nullptr : this->type(types, {origin.from, type.target}, depth + 1);
  return types.pointer_to(target != nullptr ? target : types.void_type(), DTypes::Leads::IntoProgram);
}

const DType* DwarfTypes::array(DTypes& types, Origin origin, const CType& type, int depth) {
  const DType* element = this->type(types, {origin.from, type.target}, depth + 1);
  if (element == nullptr) return nullptr;
  if (element->kind == DType::Kind::Struct) fill(types, const_cast<DType*>(element), depth + 1);
  uint64_t bytes = element->bytes;
  for (size_t i = type.counts.size(); i-- > 0;) {
    bytes *= type.counts[i];
    if (type.counts[i] > kMaxTypeBytes || bytes > kMaxTypeBytes) return nullptr;
    element = types.array_of(element, static_cast<uint32_t>(type.counts[i]));
  }
  return type.counts.empty() ? types.array_of(element, 0) : element;
}

/// Without members at first: they may lead to the structure itself.
DType* DwarfTypes::structure(DTypes& types, Origin origin, const CType& type) {
  DType*& known = structures_[looks_of(*origin.from, type)];
  if (known != nullptr) return known;
  bool is_union = type.kind == CKind::Union;
  std::string tag(type.name.empty() ? type.alias : type.name);
  bool is_tag = !type.name.empty() || type.alias.empty();
  known = types.anonymous((is_tag ? is_union ? "union " : "struct " : "") + tag, is_union);
  if (tag.empty()) known->name.pop_back();
  known->bytes = type.is_incomplete ? 0 : static_cast<uint32_t>(type.bytes);
  known->source = this;
  origins_[known] = origin;
  return known;
}

void DwarfTypes::complete(DTypes& types, DType* structure) { fill(types, structure, 0); }

/// Members are where the debug information says.
void DwarfTypes::fill(DTypes& types, DType* structure, int depth) {
  auto origin = origins_.find(structure);
  if (origin == origins_.end() || structure->is_complete || structure->is_open || depth > kMaxTypeDepth) return;
  const Prototypes& from = *origin->second.from;
  const CType& type = from.type(origin->second.ref);
  if (type.is_incomplete) return;
  structure->is_open = true;
  for (const CField& field : type.fields) {
    DMember made = member(types, origin->second, field, depth);
    if (made.type == nullptr) continue;
    structure->align = std::max(structure->align, made.type->align);
    structure->members.push_back(std::move(made));
  }
  structure->is_open = false;
  structure->is_complete = true;
}

/// One without a type: D has none for it, or it is a bit-field that crosses a boundary of its type.
DMember DwarfTypes::member(DTypes& types, Origin origin, const CField& field, int depth) {
  DMember made{.name = std::string(field.name), .offset_bytes = static_cast<uint32_t>(field.bit_offset / 8)};
  const DType* type = this->type(types, {origin.from, field.type}, depth);
  bool is_structure = type != nullptr && type->kind == DType::Kind::Struct;
  if (is_structure) fill(types, const_cast<DType*>(type), depth + 1);
  bool is_whole = type != nullptr && (!is_structure || (type->is_complete && !type->is_open));
  if (!is_whole || (field.name.empty() && !is_structure)) return made;
  if (field.bits == 0) {
    made.type = type;
    return made;
  }
  uint64_t unit = uint64_t{type->bytes} * 8;
  if (!type->is_integer() || field.bits > unit || field.bit_offset % unit + field.bits > unit) return made;
  made.type = type;
  made.is_bit_field = true;
  made.bits = static_cast<uint8_t>(field.bits);
  made.offset_bytes = static_cast<uint32_t>(field.bit_offset / unit * type->bytes);
  made.first_bit = static_cast<uint8_t>(field.bit_offset % unit);
  return made;
}

}  // namespace strut
