// A piece of a netlink message: its claimed size, and the part that could be read.
#pragma once

#include <algorithm>
#include <cstring>
#include <string_view>

#include "syscalls/decoder.hpp"

namespace strut {

struct NetlinkBytes {
  Addr at{};
  size_t size = 0;         ///< bytes there should be
  std::string_view bytes;  ///< the bytes that could be read, in the arena; fewer where memory ends

  bool holds(size_t count) const { return bytes.size() >= count; }
  template <typename T>
  T get(size_t offset = 0) const {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
  NetlinkBytes from(size_t offset) const {
    offset = std::min(offset, size);
    return {at + offset, size - offset, bytes.substr(std::min(offset, bytes.size()))};
  }
  NetlinkBytes first(size_t count) const {
    count = std::min(count, size);
    return {at, count, bytes.substr(0, count)};
  }
  /// As binary text, cut as strings are; where memory ends, the address.
  Value binary(Decoder& decoder) const { return decoder.buffer(at, size, TextKind::Binary); }
};

/// netlink(7): messages and attributes start at multiples of four bytes.
constexpr size_t netlink_aligned(size_t bytes) { return (bytes + 3) & ~size_t{3}; }

inline Value list_of(Decoder& decoder, std::span<const Value> items) {
  return {Array{decoder.arena().copy(items), ArrayStyle::List, false, {}}, {}};
}

/// The items as one value: alone, or as an array.
inline Value alone_or_array(Decoder& decoder, std::span<const Value> items, bool cut = false) {
  if (items.size() == 1 && !cut) return items[0];
  return {Array{decoder.arena().copy(items), ArrayStyle::List, cut, {}}, {}};
}

}  // namespace strut
