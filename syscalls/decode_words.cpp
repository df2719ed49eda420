// The part of Decoder that decodes by words of the notation beyond scalars, structures and arrays: words of several
// parts, dates, sets of bits, structures of the caller's size.
#include <algorithm>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/extensible.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/time/time.hpp"

namespace strut {

namespace {

constexpr size_t kBitsInShort = 4;  // shown of a set of named bits, unless in full

bool names_any(const WordPart& part, uint64_t bits) {
  return std::ranges::any_of(part.type->constants->entries,
                             [&](const Constant& flag) { return (bits & part.mask & flag.value) != 0; });
}

bool is_shown(const WordPart& part, uint64_t bits) {
  switch (part.when) {
    case WordPart::When::Always: return true;
    case WordPart::When::IfNamed: return bits != 0 && part.type->constants->name_of(bits) != nullptr;
    default: return bits != 0;
  }
}

uint64_t number_in(const FieldValue& field) {
  const auto* number = std::get_if<Number>(&field.value.is);
  return number ? number->bits : 0;
}

}  // namespace

// -- numbers ------------------------------------------------------------------------------------------

Value Decoder::number(const Type& type, uint64_t bits) {
  Value value = number(bits, type.show, static_cast<uint8_t>(bytes_of(type.width, register_abi(call_.abi))));
  if (!type.constants) return value;
  const char* name = type.constants->name_of(bits);
  value.comment = name ? name : type.constants->unknown;
  return value;
}

Value Decoder::named(const Type& type, uint64_t bits) {
  auto bytes = static_cast<uint8_t>(bytes_of(type.width, register_abi(call_.abi)));
  return type.numbered ? number_with_names(arena(), bits, *type.constants, bytes) : named(bits, *type.constants, bytes);
}

Value Decoder::word_part(const WordPart& part, uint64_t bits) {
  Value value = scalar(*part.type, bits);
  if (!part.shows_shift) return value;
  return {Shifted{arena().make(value), part.shift, part.place, part.unnamed, part.base}, {}};
}

Value Decoder::word(const Type& type, uint64_t bits) {
  const WordLayout& layout = *type.word;
  std::span<Value> shown = arena().array<Value>(layout.parts.size());
  size_t count = 0;
  uint64_t left = bits;
  for (const WordPart& part : layout.parts) {
    uint64_t piece = (left & part.mask) >> part.shift;
    if (!is_shown(part, piece)) continue;
    shown[count++] = word_part(part, piece);
    left &= ~part.mask;
  }
  for (const WordPart& part : layout.parts)
    if (count == 0 && part.when == WordPart::When::IfAnyOrAlone) shown[count++] = word_part(part, 0);
  if (layout.form) {
    const Value* plain = layout.plain ? arena().make(scalar(*layout.plain, bits)) : nullptr;
    return {Form{layout.form, shown.first(count), plain, layout.styled}, {}};
  }
  if (layout.one_is_plain && count == 1) return shown[0];
  auto bytes = static_cast<uint8_t>(bytes_of(type.width, register_abi(call_.abi)));
  bool glued = layout.glued && !names_any(layout.parts[0], bits);
  return {Union{shown.first(count), bits, bytes, layout.apart, layout.one_if_raw, glued}, {}};
}

// -- dates --------------------------------------------------------------------------------------------

// 32 bits count on to 2106 in the remark, though the number is signed.
void Decoder::date(const Type& type, Addr at, Value& time) {
  if (const auto* pair = std::get_if<Struct>(&time.is); pair && pair->fields.size() >= 2) {
    auto seconds = static_cast<int64_t>(number_in(pair->fields[0]));
    time.comment = calendar_time(arena(), seconds, number_in(pair->fields[1]));
  }
  const auto* number = std::get_if<Number>(&time.is);
  if (!number) return;
  auto seconds = static_cast<int64_t>(number->bits);
  if (type.dated == Dated::SecondsTo2106 && abi() == Abi::I386) seconds = static_cast<uint32_t>(seconds);
  uint64_t nanoseconds = 0;
  if (type.dated == Dated::SecondsOfPair)
    nanoseconds = read_number(at + bytes_of(type.width, abi()), type.width).value_or(0);
  time.comment = calendar_time(arena(), seconds, nanoseconds);
}

// -- bits and bytes -------------------------------------------------------------------------------------

// Of a set with names an abbreviated call shows the first.
Value Decoder::bit_set(const Type& type, Addr at, uint64_t bytes) {
  const Type& number = *type.element;
  bool named = number.kind == Kind::Named;
  uint64_t most = type.length.most, bits = std::min(std::min(bytes, (most + 7) / 8) * 8, most);
  if (bits == 0 && named) return address(raw(at));
  std::span<std::byte> set = arena().array<std::byte>((bits + 7) / 8);
  if (!read_bytes(at, set)) return missing(at);
  std::span<Value> items = arena().array<Value>(bits);
  size_t count = 0;
  for (uint64_t bit = 0; bit < bits; bit++) {
    if ((set[bit / 8] >> (bit % 8) & std::byte{1}) == std::byte{}) continue;
    if (named && !full() && count == kBitsInShort) return {Array{items.first(count), ArrayStyle::Set, true, {}}, {}};
    items[count++] = scalar(number, bit);
  }
  return {Array{items.first(count), ArrayStyle::Set, !named && bytes > bits / 8, {}}, {}};
}

Value Decoder::whole_bytes(Addr at, uint64_t bytes, TextKind kind) {
  std::optional<std::string_view> all = all_bytes(at, bytes);
  return all ? text(*all, kind) : missing(at);
}

Value Decoder::whole_array(const Type& element, Addr at, uint64_t count) {
  size_t item_bytes = size_of(element, call_.abi);
  std::span<std::byte> copy = arena().array<std::byte>(count * item_bytes);
  if (!read_bytes(at, copy)) return missing(at);
  WindowScope scope(*this, {at, copy});
  std::span<Value> items = arena().array<Value>(count);
  for (size_t i = 0; i < items.size(); i++) items[i] = object(element, at + i * item_bytes, {});
  return {Array{items}, {}};
}

// -- structures -----------------------------------------------------------------------------------------

Value Decoder::structure(const Type& type, Addr at) {
  bool sized = type.length.from != LengthFrom::None;
  Value value = sized ? sized_structure(type, at) : structure(*type.layout, at);
  if (type.dated != Dated::No) date(type, at, value);
  const auto* members = std::get_if<Struct>(&value.is);
  return members && type.members != Members::Named ? members_in_array(type, *members) : value;
}

Value Decoder::sized_structure(const Type& type, Addr at) {
  std::optional<uint64_t> size = length(type.length);
  bool too_large = size && type.length.most != 0 && *size > type.length.most;
  return size && !too_large ? decode_extensible(*this, *type.layout, at, *size, type.length.fixed) : address(raw(at));
}

Value Decoder::members_in_array(const Type& type, const Struct& structure) {
  bool indexed = type.members == Members::Indexed;
  std::span<Value> items = arena().array<Value>(structure.fields.size());
  for (size_t i = 0; i < items.size(); i++)
    items[i] = indexed ? Value{Struct{structure.fields.subspan(i, 1)}, {}} : structure.fields[i].value;
  return {Array{items, indexed ? ArrayStyle::Indexed : ArrayStyle::List}, {}};
}

}  // namespace strut
