#include "formatters/quote.hpp"

#include <array>

namespace strut {

namespace {

/// What a byte becomes outside of all-hexadecimal strings: itself (0), a backslash and this letter, or kByNumber.
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

void put_hex(TextBuffer& out, char c) {
  out.put("\\x");
  out.hex_digits(static_cast<unsigned char>(c), 2);
}

/// Three digits only where a digit that follows would be read as part of the number.
void put_octal(TextBuffer& out, char c, bool digit_follows) {
  auto byte = static_cast<unsigned char>(c);
  out.put('\\');
  if (digit_follows || byte >= 0100) out.put(static_cast<char>('0' + (byte >> 6)));
  if (digit_follows || byte >= 010) out.put(static_cast<char>('0' + (byte >> 3 & 7)));
  out.put(static_cast<char>('0' + (byte & 7)));
}

}  // namespace

void escape_bytes(TextBuffer& out, std::string_view bytes, HexStrings hex, std::string_view also) {
  if (hex == HexStrings::All || (hex == HexStrings::NonAscii && has_non_ascii(bytes))) {
    for (char c : bytes) put_hex(out, c);
    return;
  }
  size_t plain = 0;  // start of the bytes not yet written that need no escape
  for (size_t i = 0; i < bytes.size(); i++) {
    char escape = escape_of(bytes[i]);
    if (escape == 0 && (also.empty() || also.find(bytes[i]) == std::string_view::npos)) continue;
    out.put(bytes.substr(plain, i - plain));
    plain = i + 1;
    if (escape > kByNumber) {
      out.put('\\');
      out.put(escape);
    } else if (hex == HexStrings::NonAsciiChars) {
      put_hex(out, bytes[i]);
    } else {
      put_octal(out, bytes[i], i + 1 < bytes.size() && bytes[i + 1] >= '0' && bytes[i + 1] <= '7');
    }
  }
  out.put(bytes.substr(plain));
}

void quote(TextBuffer& out, std::string_view bytes, HexStrings hex) {
  out.put('"');
  escape_bytes(out, bytes, hex);
  out.put('"');
}

}  // namespace strut
