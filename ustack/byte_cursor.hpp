// Reads a target's bytes one after another. Nothing is read beyond them: what is not there is zero, and said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace strut {

class ByteCursor {
 public:
  explicit ByteCursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// False once something was to be read that is not there.
  bool sound() const { return sound_; }
  size_t left() const { return bytes_.size() - at_; }
  size_t at() const { return at_; }
  bool done() const { return at_ == bytes_.size() || !sound_; }

  void skip(uint64_t count) { take(count); }
  /// The next bytes; empty if they are not all there.
  std::span<const std::byte> take(uint64_t count) {
    if (count > left()) {
      sound_ = false;
      at_ = bytes_.size();
      return {};
    }
    at_ += count;
    return bytes_.subspan(at_ - count, count);
  }

  template <typename Number>
  Number number() {
    Number value{};
    std::span<const std::byte> bytes = take(sizeof value);
    if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  uint8_t byte() { return number<uint8_t>(); }

  /// Little-endian base 128 (DWARF 5, 7.6); bits beyond the 64th are dropped.
  uint64_t uleb() { return leb().value; }
  int64_t sleb() {
    Leb read = leb();
    bool negative = read.bits < 64 && (read.last & 0x40);
    return static_cast<int64_t>(negative ? read.value | ~uint64_t{0} << read.bits : read.value);
  }

  /// Up to and without a NUL, which is skipped; at most `most` bytes, or the bytes are unsound.
  std::span<const std::byte> text(size_t most) {
    size_t looked_at = left() < most ? left() : most;
    const void* nul = looked_at == 0 ? nullptr : std::memchr(bytes_.data() + at_, 0, looked_at);
    if (!nul) return take(left() + 1);
    std::span<const std::byte> found = take(static_cast<size_t>(static_cast<const std::byte*>(nul) - (bytes_.data() + at_)));
    skip(1);
    return found;
  }

 private:
  struct Leb {
    uint64_t value;
    unsigned bits;
    uint8_t last;
  };
  Leb leb() {
    Leb read{0, 0, 0};
    do {
      read.last = byte();
      if (read.bits < 64) read.value |= static_cast<uint64_t>(read.last & 0x7f) << read.bits;
      read.bits += 7;
    } while ((read.last & 0x80) && sound_);
    return read;
  }

  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  bool sound_ = true;
};

}  // namespace strut
