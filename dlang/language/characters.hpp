// Classes of characters, free of locales.
#pragma once

namespace strut {

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_word(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }

/// The value of a digit in bases up to 36; 36 for others.
constexpr unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A') + 10;
  return 36;
}

}  // namespace strut
