// Conditions of members and of types that are one thing or another (FieldCondition), by what they look at.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"
#include "syscalls/type.hpp"

namespace strut {

class Decoder;

// What conditions look at: an argument, a word of the structure (0 if it cannot be read), bytes.
uint64_t argument_of(Decoder& decoder, size_t index);
uint64_t word_at(Decoder& decoder, Addr at, Width width);
inline constexpr size_t kMaxBytesLookedAt = 128;
bool any_byte(Decoder& decoder, Addr at, size_t bytes);

// -- arguments of the call --------------------------------------------------------------------------
/// The argument is one of these; of an int 32 bits are compared.
template <size_t kIndex, uint64_t... kValues>
bool arg_is(Decoder& decoder, Addr) {
  uint64_t value = argument_of(decoder, kIndex);
  return ((value == kValues) || ...);
}
template <size_t kIndex, uint32_t... kValues>
bool int_arg_is(Decoder& decoder, Addr) {
  uint32_t value = static_cast<uint32_t>(argument_of(decoder, kIndex));
  return ((value == kValues) || ...);
}
/// The argument has any of these bits.
template <size_t kIndex, uint64_t kBits>
bool arg_has(Decoder& decoder, Addr) {
  return (argument_of(decoder, kIndex) & kBits) != 0;
}
template <size_t kIndex, uint64_t kMost>
bool arg_within(Decoder& decoder, Addr) {
  return argument_of(decoder, kIndex) <= kMost;
}

// -- words of the structure -------------------------------------------------------------------------
/// The word at an offset is one of these.
template <uint16_t kOffset, uint32_t... kValues>
bool word_is(Decoder& decoder, Addr structure) {
  uint64_t word = word_at(decoder, structure + kOffset, Width::B4);
  return ((word == kValues) || ...);
}
/// As word_is, of another width; the offset may be in front of the structure.
template <Width kWidth, int16_t kOffset, uint64_t... kValues>
bool number_at_is(Decoder& decoder, Addr structure) {
  uint64_t number = word_at(decoder, Addr{raw(structure) + static_cast<uint64_t>(kOffset)}, kWidth);
  return ((number == kValues) || ...);
}
/// The number at an offset has any of these bits.
template <uint16_t kOffset, uint64_t kBits, Width kWidth = Width::B4>
bool word_has(Decoder& decoder, Addr structure) {
  return (word_at(decoder, structure + kOffset, kWidth) & kBits) != 0;
}
/// The bytes from an offset on are not all zero.
template <uint16_t kFrom, uint16_t kBytes>
bool not_zero(Decoder& decoder, Addr structure) {
  static_assert(kBytes <= kMaxBytesLookedAt);
  return any_byte(decoder, structure + kFrom, kBytes);
}

// -- the number itself ------------------------------------------------------------------------------
template <uint64_t kFirst, uint64_t kLast = kFirst>
bool number_is(Decoder&, Addr bits) {
  return raw(bits) >= kFirst && raw(bits) <= kLast;
}
template <uint32_t kFirst, uint32_t kLast = kFirst>
bool int_is(Decoder&, Addr bits) {
  uint32_t number = static_cast<uint32_t>(raw(bits));
  return number >= kFirst && number <= kLast;
}

// -- the call and the request -----------------------------------------------------------------------
bool is_i386(Decoder& decoder, Addr);
/// Structures are shown in full.
bool in_full(Decoder& decoder, Addr);
/// The call has not returned yet.
bool at_entry(Decoder& decoder, Addr);
bool succeeded(Decoder& decoder, Addr);
/// It succeeded, and its result is not zero.
bool has_result(Decoder& decoder, Addr);
uint64_t result_of(Decoder& decoder);
template <uint64_t kMost>
bool result_within(Decoder& decoder, Addr) {
  return result_of(decoder) <= kMost;
}

// -- together ---------------------------------------------------------------------------------------
template <FieldCondition kCondition>
bool unless(Decoder& decoder, Addr at) {
  return !kCondition(decoder, at);
}
template <FieldCondition kFirst, FieldCondition kSecond>
bool any_of(Decoder& decoder, Addr at) {
  return kFirst(decoder, at) || kSecond(decoder, at);
}
template <FieldCondition kFirst, FieldCondition kSecond>
bool both(Decoder& decoder, Addr at) {
  return kFirst(decoder, at) && kSecond(decoder, at);
}

}  // namespace strut
