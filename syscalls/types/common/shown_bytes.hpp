// Objects of a fixed size that a function shows: a UUID, an instruction, a hardware address.
#pragma once

#include <string_view>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {

/// Shows bytes that live as long as the value. It reads no memory: what a capture plan copies are these bytes.
using BytesLook = Value (*)(Decoder&, std::string_view bytes);

template <BytesLook kLook>
Value decode_shown_bytes(Decoder& decoder, uint64_t at, size_t bytes) {
  std::optional<std::string_view> all = decoder.all_bytes(Addr{at}, bytes);
  return all ? kLook(decoder, *all) : decoder.missing(Addr{at});
}
/// For a plan, which copies an array, so that a count of such objects is not one of bytes.
template <uint32_t kBytes>
inline constexpr Type kBytesToShow = notation::whole(notation::array_of(notation::kU8, kBytes));
/// A word for rows: so many bytes that a function shows, all of them or nothing.
template <BytesLook kLook, uint32_t kBytes, Width kAlignment = Width::B1>
inline constexpr Type kBytesShownBy =
    notation::reading(notation::custom(decode_shown_bytes<kLook>, kBytes, kAlignment), kBytesToShow<kBytes>);

}  // namespace strut
