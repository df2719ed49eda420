// The bytes of a socket address, copied from the target, and values made of pieces of them.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "syscalls/decoder.hpp"

namespace strut {

/// Offsets are those of the family's structure. Callers check `size` before they ask.
struct SockaddrBytes {
  std::span<const std::byte> bytes;  ///< in the arena
  size_t size = 0;
  mutable bool cut = false;  ///< set by a family: members are missing at the end

  template <typename T>
  T get(size_t at) const {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  template <typename T>
  Value number(size_t at, Show show) const {
    return Decoder::number(static_cast<uint64_t>(get<T>(at)), show, sizeof(T));
  }
  std::string_view text(size_t at, size_t count) const {
    return {reinterpret_cast<const char*>(bytes.data()) + at, count};
  }
  /// An array of single bytes; `cut`: there should be more.
  Value octets(Decoder& decoder, size_t at, size_t count, Show show, bool is_cut = false) const {
    std::span<Value> items = decoder.arena().array<Value>(count);
    for (size_t i = 0; i < count; i++) items[i] = number<uint8_t>(at + i, show);
    return {Array{items, ArrayStyle::List, is_cut, {}}, {}};
  }
};

}  // namespace strut
