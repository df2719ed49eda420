#include "syscalls/types/common/uuid.hpp"

#include <array>

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"

namespace strut {

Value show_uuid(Decoder& decoder, std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<char, 36> text;
  size_t end = 0;
  for (size_t i = 0; i < bytes.size(); i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text[end++] = '-';
    auto byte = static_cast<uint8_t>(bytes[i]);
    text[end++] = kDigits[byte >> 4];
    text[end++] = kDigits[byte & 15];
  }
  return Decoder::bare(joined(decoder.arena(), {{text.data(), end}}));
}

}  // namespace strut
