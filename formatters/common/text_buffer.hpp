// A reusable buffer in which one line of text grows, coloured or not.
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "formatters/common/palette.hpp"

namespace strut {

/// Bytes of a line. Keeps its memory from line to line. Escape sequences are counted apart, so that columns are known.
class TextBuffer {
 public:
  TextBuffer() = default;
  /// Colours the parts that ink() marks. The palette outlives the buffer; nullptr: no colours.
  explicit TextBuffer(const Palette* palette) : palette_(palette) {}

  std::string_view view() const { return {bytes_.get(), size_}; }
  size_t size() const { return size_; }
  /// Characters since the last clear(), without escape sequences.
  size_t column() const { return size_ - escapes_; }
  bool empty() const { return size_ == 0; }
  void clear() { size_ = escapes_ = 0; }

  void put(char c) {
    room(1)[0] = c;
    size_++;
  }
  void put(std::string_view text) {
    copy(room(text.size()), text.data(), text.size());
    size_ += text.size();
  }
  void spaces(size_t count) {
    std::memset(room(count), ' ', count);
    size_ += count;
  }

  /// Passes `write` a pointer to room for `most` bytes; it returns the end of its text.
  template <typename Write>
  void fill(size_t most, Write write) {
    char* to = room(most);
    size_ += static_cast<size_t>(write(to) - to);
  }

  void decimal(int64_t value) { convert(value, 10); }
  void decimal(uint64_t value) { convert(value, 10); }
  /// 0x…; zero is 0 (C's "%#x").
  void hex(uint64_t value) {
    if (value == 0) return put('0');
    put("0x");
    convert(value, 16);
  }
  /// Hexadecimal digits without 0x, at least `digits` of them.
  void hex_at_least(uint64_t value, unsigned digits) {
    unsigned needed = (static_cast<unsigned>(std::bit_width(value)) + 3) / 4;
    hex_digits(value, needed > digits ? needed : digits);
  }
  /// Exactly `digits` lowercase digits without 0x.
  void hex_digits(uint64_t value, unsigned digits) {
    char* to = room(digits);
    for (unsigned i = digits; i > 0; i--, value >>= 4) to[i - 1] = "0123456789abcdef"[value & 15];
    size_ += digits;
  }
  /// A leading 0 and octal digits, at least `digits` in all (C's "%#0*o"); zero is as many zeros.
  void octal(uint64_t value, unsigned digits = 1) {
    char text[24];
    unsigned used = 0;
    for (; value != 0; value >>= 3) text[sizeof text - ++used] = static_cast<char>('0' + (value & 7));
    if (used == 0 || used < digits || text[sizeof text - used] != '0') text[sizeof text - ++used] = '0';
    while (used < digits) text[sizeof text - ++used] = '0';
    put({text + sizeof text - used, used});
  }
  /// Decimal digits padded on the left with `fill` to `width`.
  void decimal_padded(uint64_t value, unsigned width, char fill) {
    char text[24];
    unsigned used = 0;
    do text[sizeof text - ++used] = static_cast<char>('0' + value % 10);
    while ((value /= 10) != 0);
    while (used < width && used < sizeof text) text[sizeof text - ++used] = fill;
    put({text + sizeof text - used, used});
  }

  /// Switches to the colour of this part of a line; nothing without a palette.
  void ink(Ink part) {
    if (palette_ != nullptr) escape(palette_->of(part));
  }
  /// Text of one part; afterwards the colour is that of argument values.
  void put(Ink part, std::string_view text) {
    ink(part);
    put(text);
    ink(Ink::ArgValue);
  }

 private:
  char* room(size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return bytes_.get() + size_;
  }
  /// memcpy(3) without the call for the short pieces that lines are made of.
  static void copy(char* to, const char* from, size_t count) {
    if (count >= 16) {
      std::memcpy(to, from, count);
    } else if (count >= 8) {
      copy_ends<uint64_t>(to, from, count);
    } else if (count >= 4) {
      copy_ends<uint32_t>(to, from, count);
    } else {
      for (size_t i = 0; i < count; i++) to[i] = from[i];
    }
  }
  /// The first and the last sizeof(Word) of `count` bytes, which may overlap.
  template <typename Word>
  static void copy_ends(char* to, const char* from, size_t count) {
    Word first, last;
    std::memcpy(&first, from, sizeof first);
    std::memcpy(&last, from + count - sizeof last, sizeof last);
    std::memcpy(to, &first, sizeof first);
    std::memcpy(to + count - sizeof last, &last, sizeof last);
  }
  template <typename Integer>
  void convert(Integer value, int base) {
    char* to = room(24);
    size_ += static_cast<size_t>(std::to_chars(to, to + 24, value, base).ptr - to);
  }
  void grow(size_t count);
  void escape(std::string_view parameters);

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
  size_t escapes_ = 0;
  const Palette* palette_ = nullptr;
};

}  // namespace strut
