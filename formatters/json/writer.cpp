#include "formatters/json/writer.hpp"

namespace strut {

namespace {

char short_escape(char c) {
  switch (c) {
    case '"': return '"';
    case '\\': return '\\';
    case '\n': return 'n';
    case '\t': return 't';
    case '\r': return 'r';
    case '\b': return 'b';
    case '\f': return 'f';
    default: return 0;
  }
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// Length of the sequence that a byte begins, 0 if it begins none.
size_t sequence_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if ((first & 0xf0) == 0xe0) return 3;
  if (first >= 0xf0 && first <= 0xf4) return 4;
  return 0;
}

/// The second byte's range is narrower behind some first bytes (RFC 3629, section 4).
bool fits(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xe0: return second >= 0xa0;
    case 0xed: return second <= 0x9f;
    case 0xf0: return second >= 0x90;
    case 0xf4: return second <= 0x8f;
    default: return true;
  }
}

}  // namespace

namespace {

/// True where two bytes of UTF-8 begin that are one of Unicode's other control characters.
bool is_c1_lead(std::string_view text, size_t at) {
  return text[at] == '\xc2' && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0;
}

}  // namespace

void JsonWriter::quoted(std::string_view text) {
  out_.put('"');
  size_t plain = 0;
  for (size_t i = 0; i < text.size(); i++) {
    auto byte = static_cast<unsigned char>(text[i]);
    char letter = short_escape(text[i]);
    bool c1 = is_c1_lead(text, i);  // U+0080 to U+009f: some terminals take them for escape sequences
    if (letter == 0 && byte >= 0x20 && byte != 0x7f && !c1) continue;
    out_.put(text.substr(plain, i - plain));
    if (c1) byte = static_cast<unsigned char>(text[++i]);
    plain = i + 1;
    out_.put('\\');
    if (letter != 0) {
      out_.put(letter);
    } else {
      out_.put('u');
      out_.hex_digits(byte, 4);
    }
  }
  out_.put(text.substr(plain));
  out_.put('"');
}

void JsonWriter::key(std::string_view name) {
  separate();
  quoted(name);
  out_.put(':');
  comma_ = false;
}

void JsonWriter::string(std::string_view text) {
  separate();
  quoted(text);
}

void JsonWriter::hex_string(uint64_t value) {
  separate();
  out_.put("\"0x");
  out_.hex_at_least(value, 1);
  out_.put('"');
}

bool is_utf8(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    auto first = static_cast<unsigned char>(bytes[i]);
    size_t length = sequence_length(first);
    if (length == 0 || bytes.size() - i < length) return false;
    for (size_t k = 1; k < length; k++)
      if (!is_continuation(bytes[i + k])) return false;
    if (length > 1 && !fits(first, static_cast<unsigned char>(bytes[i + 1]))) return false;
    i += length;
  }
  return true;
}

}  // namespace strut
