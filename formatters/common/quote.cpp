#include "formatters/common/quote.hpp"

#include <array>

namespace strut {

namespace {

/// A byte's form outside of all-hexadecimal strings: itself (0), a backslash and this letter, or kByNumber.
constexpr char kByNumber = 1;
constexpr std::array<char, 256> kEscapes = [] {
  std::array<char, 256> escapes{};
  for (size_t c = 0; c < 256; c++) escapes[c] = c < 0x20 || c > 0x7e ? kByNumber : char{0};
  escapes['\t'] = 't';
  escapes['\n'] = 'n';
  escapes['\v'] = 'v';
  escapes['\f'] = 'f';
  escapes['\r'] = 'r';
  escapes['"'] = '"';
  escapes['\\'] = '\\';
  return escapes;
}();

constexpr char escape_of(char c) { return kEscapes[static_cast<unsigned char>(c)]; }

bool has_non_ascii(std::string_view bytes) {
  for (char c : bytes)
    if (escape_of(c) == kByNumber) return true;
  return false;
}

constexpr size_t kLongestEscape = 4;  // \xff, \377

char* put_hex(char* to, char c) {
  auto byte = static_cast<unsigned char>(c);
  *to++ = '\\';
  *to++ = 'x';
  *to++ = "0123456789abcdef"[byte >> 4];
  *to++ = "0123456789abcdef"[byte & 15];
  return to;
}

/// Three digits only where a digit that follows would be read as part of the number.
char* put_octal(char* to, char c, bool digit_follows) {
  auto byte = static_cast<unsigned char>(c);
  *to++ = '\\';
  if (digit_follows || byte >= 0100) *to++ = static_cast<char>('0' + (byte >> 6));
  if (digit_follows || byte >= 010) *to++ = static_cast<char>('0' + (byte >> 3 & 7));
  *to++ = static_cast<char>('0' + (byte & 7));
  return to;
}

bool is_octal_digit(char c) { return c >= '0' && c <= '7'; }

}  // namespace

bool all_in_hex(std::string_view bytes, HexStrings hex) {
  return hex == HexStrings::All || (hex == HexStrings::NonAscii && has_non_ascii(bytes));
}

void escape_bytes(TextBuffer& out, std::string_view bytes, HexStrings hex, std::string_view also) {
  bool all_hex = all_in_hex(bytes, hex);
  out.fill(bytes.size() * kLongestEscape, [&](char* to) {
    for (size_t i = 0; i < bytes.size(); i++) {
      char c = bytes[i], escape = escape_of(c);
      if (all_hex) {
        to = put_hex(to, c);
      } else if (escape == 0 && (also.empty() || also.find(c) == std::string_view::npos)) {
        *to++ = c;
      } else if (escape > kByNumber) {
        *to++ = '\\';
        *to++ = escape;
      } else if (hex == HexStrings::NonAsciiChars) {
        to = put_hex(to, c);
      } else {
        to = put_octal(to, c, i + 1 < bytes.size() && is_octal_digit(bytes[i + 1]));
      }
    }
    return to;
  });
}

void quote(TextBuffer& out, std::string_view bytes, HexStrings hex) {
  out.put('"');
  escape_bytes(out, bytes, hex);
  out.put('"');
}

}  // namespace strut
