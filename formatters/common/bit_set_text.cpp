#include "formatters/common/bit_set_text.hpp"

#include <algorithm>
#include <bit>

namespace strut {

namespace {

constexpr size_t kByteBits = 8;

bool bit_of(std::string_view bytes, size_t bit) {
  return static_cast<uint8_t>(bytes[bit / kByteBits]) >> bit % kByteBits & 1;
}

size_t count_ones(std::string_view bytes) {
  size_t ones = 0;
  for (char byte : bytes) ones += static_cast<size_t>(std::popcount(static_cast<uint8_t>(byte)));
  return ones;
}

void put_run(TextBuffer& out, size_t first, size_t last) {
  out.decimal(uint64_t{first});
  if (first == last) return;
  out.put('-');
  out.decimal(uint64_t{last});
}

}  // namespace

void put_bit_set(TextBuffer& out, std::string_view bytes) {
  size_t count = bytes.size() * kByteBits;
  bool shown = count_ones(bytes) * 2 <= count;
  out.put(shown ? "<" : "~<");
  bool first = true;
  for (size_t bit = 0; bit < count; bit++) {
    if (bit_of(bytes, bit) != shown) continue;
    size_t last = bit;
    while (last + 1 < count && bit_of(bytes, last + 1) == shown) last++;
    if (!first) out.put(',');
    first = false;
    put_run(out, bit, last);
    bit = last;
  }
  out.put('>');
}

void put_bit_set(TextBuffer& out, uint64_t bits, uint8_t bytes) {
  char memory[sizeof bits];
  size_t count = std::min<size_t>(bytes, sizeof memory);
  for (size_t i = 0; i < count; i++) memory[i] = static_cast<char>(bits >> kByteBits * i);
  put_bit_set(out, {memory, count});
}

}  // namespace strut
