#include "formatters/common/dump_text.hpp"

#include <algorithm>
#include <bit>

namespace strut {

namespace {

constexpr size_t kPerLine = 16;

/// Hexadecimal digits of the offsets of `bytes` bytes: all are as wide as the last.
unsigned offset_digits(size_t bytes) {
  constexpr unsigned kLeast = 5, kBitsPerDigit = 4;
  return std::max(kLeast, (static_cast<unsigned>(std::bit_width(bytes - 1)) + kBitsPerDigit - 1) / kBitsPerDigit);
}

void put_line(TextBuffer& out, size_t offset, unsigned digits, std::string_view bytes) {
  out.put(" | ");
  out.hex_at_least(offset, digits);
  out.put("  ");
  for (size_t i = 0; i < kPerLine; i++) {
    if (i == kPerLine / 2) out.put(' ');
    if (i < bytes.size()) out.hex_digits(static_cast<unsigned char>(bytes[i]), 2);
    else out.put("  ");
    out.put(' ');
  }
  out.put(' ');
  for (char c : bytes) out.put(c >= 0x20 && c <= 0x7e ? c : '.');
  out.spaces(kPerLine - bytes.size());
  out.put(" |\n");
}

void put_heading(TextBuffer& out, const Dump& dump) {
  bool message = dump.of == Dump::Of::Message;
  out.put(message ? " = " : " * ");
  out.decimal(dump.count);
  out.put(message ? " buffers in vector " : " bytes in buffer ");
  out.decimal(uint64_t{dump.index});
  out.put('\n');
}

}  // namespace

void put_dumps(TextBuffer& out, std::span<const Dump> dumps) {
  for (const Dump& dump : dumps) {
    if (dump.of != Dump::Of::Call) put_heading(out, dump);
    unsigned digits = dump.bytes.empty() ? 0 : offset_digits(dump.bytes.size());
    for (size_t at = 0; at < dump.bytes.size(); at += kPerLine)
      put_line(out, at, digits, dump.bytes.substr(at, kPerLine));
  }
}

}  // namespace strut
