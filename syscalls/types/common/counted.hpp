// Members that depend on the bytes around them: arrays whose count another member holds, and reserved members, which
// are shown only if something is in them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "syscalls/decoder.hpp"
#include "syscalls/notation.hpp"

namespace strut {

/// Where the count of an array is, and how many elements the array has for it.
struct CountedBy {
  int16_t from;          ///< the offset of the 32-bit count, from the start of the array
  uint32_t most;         ///< the elements that the structure has room for
  uint32_t times = 1;    ///< elements for each of the count …
  uint32_t besides = 0;  ///< … and besides them
};

template <const Type& kElement, CountedBy kBy>
Value decode_counted(Decoder& decoder, uint64_t at, size_t) {
  auto count = decoder.read_number(Addr{at + static_cast<uint64_t>(int64_t{kBy.from})}, Width::B4);
  if (!count) return decoder.missing(Addr{at});
  return decoder.array(kElement, Addr{at}, std::min<uint64_t>(*count * kBy.times + kBy.besides, kBy.most));
}

/// An array in a structure that has room for `most` elements; its size is the same in every ABI.
template <const Type& kElement, CountedBy kBy>
inline constexpr Type kCounted = notation::custom(decode_counted<kElement, kBy>,
                                                  kBy.most * size_of(kElement, Abi::X86_64),
                                                  align_of(kElement, Abi::I386) == 1 ? Width::B1 : Width::B4);

/// Reserved words.
template <uint32_t kCount>
inline constexpr Type kReserved = notation::array_of(notation::kHex32, kCount);

/// A field that is shown only if the bytes from `kFrom` on are not all zero.
template <uint16_t kFrom, uint16_t kBytes>
bool not_zero(Decoder& decoder, Addr structure) {
  std::array<std::byte, kBytes> bytes;
  return decoder.read_bytes(structure + kFrom, bytes) &&
         std::ranges::any_of(bytes, [](std::byte byte) { return byte != std::byte{}; });
}

}  // namespace strut
