#include "core/types/mac_address.hpp"

#include "core/decoder.hpp"

namespace strut {

Value mac_address(Decoder& decoder, std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  const Value* plain = decoder.arena().make(Value{Text{bytes, TextKind::Binary, false, false}, {}});
  if (bytes.empty()) return *plain;
  std::span<char> text = decoder.arena().array<char>(bytes.size() * 3 - 1);
  for (size_t i = 0; i < bytes.size(); i++) {
    auto byte = static_cast<uint8_t>(bytes[i]);
    text[3 * i] = kDigits[byte >> 4];
    text[3 * i + 1] = kDigits[byte & 0xf];
    if (i + 1 < bytes.size()) text[3 * i + 2] = ':';
  }
  return {Alias{{text.data(), text.size()}, plain}, {}};
}

}  // namespace strut
