#include "syscalls/types/socket/mac_address.hpp"

#include <algorithm>

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

struct AddressBytes {
  uint16_t type;
  uint8_t bytes;
};
constexpr AddressBytes kAddressBytesOf[] = {
    {0, 7},   {1, 6},   {3, 7},   {6, 6},   {7, 1},   {15, 2},  {24, 16}, {27, 8},  {32, 20}, {270, 5}, {271, 5},
    {290, 1}, {768, 4}, {772, 6}, {773, 1}, {774, 6}, {776, 4}, {777, 4}, {778, 4}, {779, 4}, {780, 6}, {783, 4},
    {801, 6}, {802, 6}, {803, 6}, {804, 8}, {805, 8}, {820, 1}, {821, 1}, {822, 1}, {825, 8}, {826, 8},
};

}  // namespace

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

std::optional<size_t> hardware_address_bytes(uint16_t type) {
  auto entry = std::ranges::find(kAddressBytesOf, type, &AddressBytes::type);
  return entry == std::end(kAddressBytesOf) ? std::nullopt : std::optional<size_t>(entry->bytes);
}

}  // namespace strut
