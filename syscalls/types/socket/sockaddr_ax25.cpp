// AF_AX25: amateur radio stations. <linux/ax25.h>; a call sign is six characters shifted left by one and a number.
#include <algorithm>

#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/socket/sockaddr_families.hpp"

namespace strut {
namespace {

constexpr size_t kAddressBytes = 16, kCallBytes = 7, kMaxDigipeaters = 8;

struct CallSign {
  std::string_view text;   ///< "AB-5"; empty: not printable
  bool canonical = false;  ///< capitals and digits, padded with spaces, nothing in the spare bits
};

bool letter_or_digit(char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

CallSign call_sign(Decoder& decoder, std::string_view bytes) {
  if (bytes == std::string_view("@@@@@@\0", kCallBytes)) return {"*", true};
  char name[kCallBytes] = {};
  size_t length = 0;
  bool canonical = true, printable = true;
  for (size_t i = 0; i + 1 < kCallBytes; i++) {
    auto byte = static_cast<uint8_t>(bytes[i]);
    char c = static_cast<char>(byte >> 1);
    name[i] = c;
    if (c != ' ') {
      canonical = canonical && letter_or_digit(c) && length == i;
      length = i + 1;
    }
    canonical = canonical && (byte & 1) == 0;
    printable = printable && c >= ' ' && c < 0x7f && c != '*' && c != '/';
  }
  auto last = static_cast<uint8_t>(bytes[kCallBytes - 1]);
  unsigned station = last >> 1 & 0xf;
  if (!printable) return {};
  char number[] = {'-', '1', static_cast<char>('0' + station % 10), '\0'};
  if (station < 10) number[1] = number[2], number[2] = '\0';
  return {joined(decoder.arena(), {{name, length}, number}), canonical && length != 0 && (last & 0xe1) == 0};
}

Value call_of(Decoder& decoder, std::string_view bytes) {
  CallSign sign = call_sign(decoder, bytes);
  const FieldValue fields[] = {{"ax25_call", {Text{bytes, TextKind::Binary, false, false}, {}}}};
  Value plain = decoder.fields(fields);
  if (!sign.canonical) plain.comment = sign.text;
  return sign.canonical ? Value{Alias{sign.text, decoder.arena().make(plain)}, {}} : plain;
}

}  // namespace

bool add_ax25(Decoder& decoder, const SockaddrBytes& address, FieldList& fields) {
  if (address.size < kAddressBytes) return false;
  int32_t named = address.get<int32_t>(12);
  const FieldValue station[] = {{"sax25_call", call_of(decoder, address.text(2, kCallBytes))},
                                {"sax25_ndigis", address.number<int32_t>(12, Show::Signed)}};
  size_t held = std::min((address.size - kAddressBytes) / kCallBytes, kMaxDigipeaters);
  bool alone = address.size == kAddressBytes && named == 0;
  if (alone) {
    for (const FieldValue& field : station) fields.add(field.name, field.value);
    return true;
  }
  fields.add("fsa_ax25", decoder.fields(station));
  size_t rest = address.size - kAddressBytes;
  address.cut = rest > kMaxDigipeaters * kCallBytes || rest % kCallBytes != 0;
  if (named <= 0) return true;
  size_t wanted = std::min<size_t>(static_cast<size_t>(named), kMaxDigipeaters), shown = std::min(wanted, held);
  std::span<Value> calls = decoder.arena().array<Value>(shown);
  for (size_t i = 0; i < shown; i++)
    calls[i] = call_of(decoder, address.text(kAddressBytes + i * kCallBytes, kCallBytes));
  fields.add("fsa_digipeater", {Array{calls, ArrayStyle::List, shown < wanted, {}}, {}});
  return true;
}

}  // namespace strut
