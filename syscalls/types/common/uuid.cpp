#include "syscalls/types/common/uuid.hpp"

#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {

Value decode_uuid(Decoder& decoder, uint64_t at, size_t) {
  std::array<uint8_t, 16> bytes;
  if (!decoder.read(Addr{at}, bytes)) return decoder.missing(Addr{at});
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<char, 36> text;
  size_t end = 0;
  for (size_t i = 0; i < bytes.size(); i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text[end++] = '-';
    text[end++] = kDigits[bytes[i] >> 4];
    text[end++] = kDigits[bytes[i] & 15];
  }
  return Decoder::bare(joined(decoder.arena(), {{text.data(), end}}));
}

}  // namespace strut
