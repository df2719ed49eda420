// Reads numbers and strings from untrusted bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace strut {

/// Never reads past the end: missing bytes are zero or empty, and ok() is false from then on. Little-endian.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes, uint64_t at = 0) : bytes_(bytes) { seek(at); }

  bool ok() const { return ok_; }
  size_t at() const { return at_; }
  size_t left() const { return bytes_.size() - at_; }
  bool at_end() const { return left() == 0; }

  void seek(uint64_t at) {
    if (at > bytes_.size()) stop();
    else at_ = static_cast<size_t>(at);
  }
  void skip(uint64_t count) {
    if (count > left()) stop();
    else at_ += static_cast<size_t>(count);
  }

  template <typename T>
  T take() {
    T value{};
    if (sizeof(T) > left()) return stop(), value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  /// A number of `count` bytes, at most 8.
  uint64_t take_number(size_t count) {
    uint64_t value = 0;
    if (count > sizeof(value) || count > left()) return stop(), 0;
    std::memcpy(&value, bytes_.data() + at_, count);
    at_ += count;
    return value;
  }
  /// DWARF's LEB128; bits beyond 64 are dropped.
  uint64_t take_uleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      auto byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if (!(byte & 0x80)) return value;
    }
  }
  int64_t take_sleb() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      auto byte = take<uint8_t>();
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (shift < 64 && (byte & 0x40)) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }
  /// Up to a NUL, which is taken too.
  std::string_view take_string() {
    auto* text = reinterpret_cast<const char*>(bytes_.data() + at_);
    size_t length = at_end() ? 0 : strnlen(text, left());
    if (length == left()) return stop(), std::string_view();
    at_ += length + 1;
    return {text, length};
  }
  std::span<const std::byte> take_bytes(uint64_t count) {
    if (count > left()) return stop(), std::span<const std::byte>();
    at_ += static_cast<size_t>(count);
    return bytes_.subspan(at_ - static_cast<size_t>(count), static_cast<size_t>(count));
  }

 private:
  void stop() {
    ok_ = false;
    at_ = bytes_.size();
  }

  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace strut
