#include "dlang/language/btf_types.hpp"

#include <algorithm>
#include <cstring>

namespace strut {
namespace {

/// <linux/btf.h>
enum BtfKind : uint32_t {
  kInt = 1,
  kPointer = 2,
  kArray = 3,
  kStruct = 4,
  kUnion = 5,
  kEnum = 6,
  kForward = 7,
  kTypedef = 8,
  kVolatile = 9,
  kConst = 10,
  kRestrict = 11,
  kFunctionType = 13,
  kVariable = 14,
  kSection = 15,
  kFloat = 16,
  kDeclarationTag = 17,
  kTypeTag = 18,
  kEnum64 = 19,
};
constexpr uint16_t kMagic = 0xeb9f;
constexpr size_t kRecordBytes = 12, kMemberBytes = 12;
constexpr int kMaxDepth = 16;
constexpr uint32_t kMaxElements = 1 << 20;

/// Bytes behind a record's first twelve.
size_t more_bytes(uint32_t kind, uint32_t count) {
  switch (kind) {
    case kInt:
    case kVariable:
    case kDeclarationTag: return 4;
    case kArray: return 12;
    case kStruct:
    case kUnion:
    case kSection:
    case kEnum64: return size_t{count} * kMemberBytes;
    case kEnum:
    case kFunctionType: return size_t{count} * 8;
    default: return 0;
  }
}

bool is_structure(uint32_t kind) { return kind == kStruct || kind == kUnion; }

}  // namespace

struct BtfTypes::Record {
  size_t at = 0;
  std::string name;
  uint32_t kind = 0, count = 0;
  bool has_bit_fields = false;
  uint32_t size_or_type = 0;

  std::string tagged() const { return (kind == kUnion ? "union " : "struct ") + name; }
};

/// 0 beyond the end.
uint32_t BtfTypes::word(size_t at) const {
  uint32_t value = 0;
  if (at + sizeof value <= bytes_.size()) std::memcpy(&value, bytes_.data() + at, sizeof value);
  return value;
}

std::string BtfTypes::name(uint32_t offset) const {
  size_t at = names_at_ + offset, end = at;
  while (end < bytes_.size() && bytes_[end] != std::byte{}) end++;
  if (at >= bytes_.size()) return {};
  return {reinterpret_cast<const char*>(bytes_.data()) + at, end - at};
}

BtfTypes::Record BtfTypes::record(uint32_t id) const {
  size_t at = places_[id];
  uint32_t info = word(at + 4);
  return {at, name(word(at)), info >> 24 & 0x1f, info & 0xffff, (info >> 31) != 0, word(at + 8)};
}

void BtfTypes::load() {
  if (is_loaded_) return;
  is_loaded_ = true;
  bytes_ = read_();
  if (bytes_.size() >= 24 && (word(0) & 0xffff) == kMagic) index();
  if (places_.empty()) places_.push_back(0);
}

void BtfTypes::index() {
  size_t header = word(4), end = header + word(8) + word(12);
  names_at_ = header + word(16);
  places_.push_back(0);
  for (size_t at = header + word(8); at + kRecordBytes <= std::min(end, bytes_.size());) {
    auto id = static_cast<uint32_t>(places_.size());
    places_.push_back(static_cast<uint32_t>(at));
    uint32_t info = word(at + 4), kind = info >> 24 & 0x1f;
    if (is_structure(kind) && word(at) != 0) structures_.try_emplace(record(id).tagged(), id);
    at += kRecordBytes + more_bytes(kind, info & 0xffff);
  }
}

void BtfTypes::complete(DTypes& types, DType* structure) {
  load();
  auto at = structures_.find(structure->name);
  if (at != structures_.end()) fill(types, structure, record(at->second));
}

/// Members are where BTF says: attributes of the source may have moved them.
void BtfTypes::fill(DTypes& types, DType* structure, const Record& record) {
  structure->is_open = true;
  structure->bytes = record.size_or_type;
  level_++;
  for (uint32_t i = 0; i < record.count && room_ > 0 && level_ <= kMaxDepth; i++, room_--) {
    DMember made = member(types, record, record.at + kRecordBytes + i * kMemberBytes);
    structure->align = std::max(structure->align, made.type->align);
    bool is_named = !made.name.empty() || made.type->kind == DType::Kind::Struct;
    if (is_named) structure->members.push_back(std::move(made));
  }
  level_--;
  structure->is_open = false;
  structure->is_complete = structure->is_prelude = true;
}

DMember BtfTypes::member(DTypes& types, const Record& record, size_t at) {
  uint32_t place = word(at + 8), bits = record.has_bit_fields ? place >> 24 : 0;
  uint32_t first_bit = record.has_bit_fields ? place & 0xffffff : place;
  DMember made{.name = name(word(at)), .type = type(types, word(at + 4), 0), .offset_bytes = first_bit / 8};
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
    DType* made = types.anonymous(record.kind == kUnion ? "union" : "struct", record.kind == kUnion);
    fill(types, made, record);
    return made;
  }
  DType* made = types.declare(record.tagged(), record.kind == kUnion);
  if (made->is_open) return types.array_of(types.integer(1, false), record.size_or_type % kMaxElements);
  if (!made->is_complete) fill(types, made, record);
  return made;
}

/// A structure behind a pointer stays without members until a program uses them.
const DType* BtfTypes::pointed_to(DTypes& types, uint32_t id, int depth) {
  if (id >= places_.size()) return types.void_type();
  Record of = record(id);
  bool has_tag = is_structure(of.kind) || of.kind == kForward;
  if (id != 0 && has_tag && of.name.empty()) return types.void_type();
  if (id != 0 && has_tag) return types.declare(of.tagged(), of.kind == kUnion);
  return type(types, id, depth + 1);
}

const DType* BtfTypes::type(DTypes& types, uint32_t id, int depth) {
  if (id == 0 || id >= places_.size() || depth > kMaxDepth) return types.void_type();
  Record of = record(id);
  bool fits = of.size_or_type == 1 || of.size_or_type == 2 || of.size_or_type == 4 || of.size_or_type == 8;
  switch (of.kind) {
    case kInt: {
      bool is_signed = (word(of.at + kRecordBytes) >> 24 & 1) != 0;
      if (!fits) return types.array_of(types.integer(1, false), of.size_or_type % kMaxElements);
      return types.integer(of.size_or_type, is_signed);
    }
    case kEnum:
    case kEnum64: return types.integer(fits ? of.size_or_type : 4, true);
    case kFloat: return types.floating(of.size_or_type == 4 || of.size_or_type == 16 ? of.size_or_type : 8);
    case kPointer: return types.pointer_to(pointed_to(types, of.size_or_type, depth));
    case kArray: {
      uint32_t count = word(of.at + kRecordBytes + 8);
      return types.array_of(type(types, word(of.at + kRecordBytes), depth + 1), count % kMaxElements);
    }
    case kStruct:
    case kUnion: return structure(types, of);
    case kTypedef:
    case kVolatile:
    case kConst:
    case kRestrict:
    case kTypeTag: return type(types, of.size_or_type, depth + 1);
    default: return types.void_type();
  }
}

}  // namespace strut
