#include "dlang/language/btf_types.hpp"

#include <algorithm>
#include <cstring>

#include "base/btf_records.hpp"

namespace strut {
namespace {

constexpr size_t kBtfRecordBytes = sizeof(btf_type), kMemberBytes = sizeof(btf_member);
constexpr int kMaxBtfDepth = 16;
constexpr uint32_t kMaxElements = 1 << 20;

bool is_structure(uint32_t kind) { return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION; }

}  // namespace

/// A forward declaration has it for a flag.
bool BtfTypes::Record::is_union() const { return kind == BTF_KIND_UNION || (kind == BTF_KIND_FWD && has_bit_fields); }

/// 0 beyond the end.
uint32_t BtfTypes::word(size_t at) const {
  uint32_t value = 0;
  if (at + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + at, sizeof value);
  return value;
}

std::string_view BtfTypes::name(uint32_t offset) const {
  size_t at = names_at_ + offset, end = at;
  while (end < bytes_.size() && bytes_[end] != std::byte{}) end++;
  if (at >= bytes_.size()) return {};
  return {reinterpret_cast<const char*>(bytes_.data()) + at, end - at};
}

BtfTypes::Record BtfTypes::record(uint32_t id) const {
  size_t at = places_[id];
  uint32_t info = word(at + 4);
  return {at,          std::string(name(word(at))), BTF_INFO_KIND(info), BTF_INFO_VLEN(info), BTF_INFO_KFLAG(info) != 0,
          word(at + 8)};
}

void BtfTypes::load() {
  if (is_loaded_) return;
  is_loaded_ = true;
  bytes_ = read_();
  if (bytes_.size() >= 24 && (word(0) & 0xffff) == BTF_MAGIC) index();
  if (places_.empty()) places_.push_back(0);
}

void BtfTypes::index() {
  size_t header = word(4), end = header + word(8) + word(12);
  names_at_ = header + word(16);
  places_.push_back(0);
  for (size_t at = header + word(8); at + kBtfRecordBytes <= std::min(end, bytes_.size());) {
    auto id = static_cast<uint32_t>(places_.size());
    places_.push_back(static_cast<uint32_t>(at));
    uint32_t info = word(at + 4), kind = BTF_INFO_KIND(info);
    if (!kBtfTails[kind].known) break;
    if (is_structure(kind) && word(at) != 0) structures_.try_emplace(record(id).tagged(), id);
    at += kBtfRecordBytes + btf_tail_bytes(info);
  }
}

void BtfTypes::complete(DTypes& types, DType* structure) {
  load();
  auto at = structures_.find(structure->name);
  if (at != structures_.end()) fill(types, structure, record(at->second));
}

/// The id; 0: none of this kind has the name.
uint32_t BtfTypes::find_record(uint32_t kind, std::string_view wanted) const {
  for (uint32_t id = 1; id < places_.size(); id++)
    if (BTF_INFO_KIND(word(places_[id] + 4)) == kind && name(word(places_[id])) == wanted) return id;
  return 0;
}

const DType* BtfTypes::find(DTypes& types, std::string_view name) {
  load();
  constexpr std::string_view kEnum = "enum ";
  bool is_enumeration = name.starts_with(kEnum);
  uint32_t id =
      is_enumeration ? find_record(BTF_KIND_ENUM, name.substr(kEnum.size())) : find_record(BTF_KIND_TYPEDEF, name);
  const DType* found = type(types, id, 0);
  return found->kind == DType::Kind::Void ? nullptr : found;
}

const DType* BtfTypes::enumeration(DTypes& types, const Record& record) {
  std::string tag = "enum " + record.name;
  if (const DType* known = types.find(tag)) return known;
  std::vector<DEnumerator> enumerators;
  for (uint32_t i = 0; i < record.count; i++) {
    size_t at = record.at + kBtfRecordBytes + i * sizeof(btf_enum);
    enumerators.push_back({std::string(name(word(at))), static_cast<int32_t>(word(at + 4))});
  }
  const DType* made = types.enumeration(tag, std::move(enumerators));
  types.define(tag, made);
  return made;
}

/// Members are where BTF says: attributes of the source may have moved them.
void BtfTypes::fill(DTypes& types, DType* structure, const Record& record) {
  structure->is_open = true;
  structure->bytes = record.size_or_type;
  level_++;
  for (uint32_t i = 0; i < record.count && room_ > 0 && level_ <= kMaxBtfDepth; i++, room_--) {
    DMember made = member(types, record, record.at + kBtfRecordBytes + i * kMemberBytes);
    structure->align = std::max(structure->align, made.type->align);
    bool is_named = !made.name.empty() || made.type->kind == DType::Kind::Struct;
    if (is_named) structure->members.push_back(std::move(made));
  }
  level_--;
  structure->is_open = false;
  structure->is_complete = structure->is_prelude = true;
}

DMember BtfTypes::member(DTypes& types, const Record& record, size_t at) {
  uint32_t place = word(at + 8), bits = record.has_bit_fields ? BTF_MEMBER_BITFIELD_SIZE(place) : 0;
  uint32_t first_bit = record.has_bit_fields ? BTF_MEMBER_BIT_OFFSET(place) : place;
  DMember made{
      .name = std::string(name(word(at))), .type = type(types, word(at + 4), 0), .offset_bytes = first_bit / 8};
  uint32_t unit = made.type->bytes * 8;
  if (bits == 0 || !made.type->is_integer() || bits > unit) return made;
  made.is_bit_field = true;
  made.bits = static_cast<uint8_t>(bits);
  made.offset_bytes = first_bit / unit * made.type->bytes;
  made.first_bit = static_cast<uint8_t>(first_bit % unit);
  return made;
}

/// Its bytes alone, if its own members are being read: a damaged file may have it within itself, or a program that
/// declares it.
const DType* BtfTypes::structure(DTypes& types, const Record& record) {
  if (record.name.empty()) {
    DType* made = types.anonymous(record.is_union() ? "union" : "struct", record.is_union());
    fill(types, made, record);
    return made;
  }
  DType* made = types.declare(record.tagged(), record.is_union());
  if (made->is_open) return types.array_of(types.integer(1, false), record.size_or_type % kMaxElements);
  if (!made->is_complete) fill(types, made, record);
  return made;
}

/// Integers, and structures without a tag, have a typedef's name; others keep their own.
const DType* BtfTypes::alias(DTypes& types, const Record& of, int depth) {
  uint32_t id = of.size_or_type;
  if (id != 0 && id < places_.size() && is_structure(record(id).kind) && record(id).name.empty()) {
    DType* made = types.anonymous(of.name, record(id).is_union());
    fill(types, made, record(id));
    return made;
  }
  const DType* target = type(types, id, depth + 1);
  if (!target->is_integer() || target->is_enumeration()) return target;
  if (types.find(of.name) == nullptr) types.alias(of.name, target);
  const DType* named = types.find(of.name);
  bool is_that = named->is_integer() && named->bytes == target->bytes && named->is_signed == target->is_signed;
  return is_that ? named : target;  // a program's own typedef may have the name
}

/// A structure behind a pointer stays without members until a program uses them.
const DType* BtfTypes::pointed_to(DTypes& types, uint32_t id, int depth) {
  if (id >= places_.size()) return types.void_type();
  Record of = record(id);
  bool has_tag = is_structure(of.kind) || of.kind == BTF_KIND_FWD;
  if (id != 0 && has_tag && of.name.empty()) return types.void_type();
  if (id != 0 && has_tag) return types.declare(of.tagged(), of.is_union());
  return type(types, id, depth + 1);
}

const DType* BtfTypes::type(DTypes& types, uint32_t id, int depth) {
  if (id == 0 || id >= places_.size() || depth > kMaxBtfDepth) return types.void_type();
  Record of = record(id);
  bool fits = of.size_or_type == 1 || of.size_or_type == 2 || of.size_or_type == 4 || of.size_or_type == 8;
  switch (of.kind) {
    case BTF_KIND_INT: {
      bool is_signed = (word(of.at + kBtfRecordBytes) >> 24 & 1) != 0;
      if (!fits) return types.array_of(types.integer(1, false), of.size_or_type % kMaxElements);
      return types.integer(of.size_or_type, is_signed);
    }
    case BTF_KIND_ENUM:
      if (of.size_or_type == sizeof(int32_t) && !of.name.empty()) return enumeration(types, of);
      [[fallthrough]];
    case kBtfKindEnum64: return types.integer(fits ? of.size_or_type : 4, true);
    case BTF_KIND_FLOAT: return types.floating(of.size_or_type == 4 || of.size_or_type == 16 ? of.size_or_type : 8);
    case BTF_KIND_PTR: return types.pointer_to(pointed_to(types, of.size_or_type, depth));
    case BTF_KIND_ARRAY: {
      uint32_t count = word(of.at + kBtfRecordBytes + 8);
      return types.array_of(type(types, word(of.at + kBtfRecordBytes), depth + 1), count % kMaxElements);
    }
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION: return structure(types, of);
    case BTF_KIND_TYPEDEF: return alias(types, of, depth);
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_TYPE_TAG: return type(types, of.size_or_type, depth + 1);
    default: return types.void_type();
  }
}

}  // namespace strut
