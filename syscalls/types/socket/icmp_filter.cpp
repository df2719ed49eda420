#include <algorithm>
#include <bit>
#include <cstring>

#include "syscalls/decoder.hpp"
#include "syscalls/types/socket/socket_option_values.hpp"

namespace strut {
namespace {

// <linux/icmp.h>
constexpr Constant kIcmpTypeNames[] = {
    {0, "ICMP_ECHOREPLY"}, {3, "ICMP_DEST_UNREACH"}, {4, "ICMP_SOURCE_QUENCH"}, {5, "ICMP_REDIRECT"},
    {8, "ICMP_ECHO"}, {11, "ICMP_TIME_EXCEEDED"}, {12, "ICMP_PARAMETERPROB"}, {13, "ICMP_TIMESTAMP"},
    {14, "ICMP_TIMESTAMPREPLY"}, {15, "ICMP_INFO_REQUEST"}, {16, "ICMP_INFO_REPLY"}, {17, "ICMP_ADDRESS"},
    {18, "ICMP_ADDRESSREPLY"},
};
constinit const ConstantSet kIcmpTypes = enumeration("ICMP_???", kIcmpTypeNames);

constexpr int kTypes = 32;

}  // namespace

Value decode_icmp_filter(Decoder& decoder, Addr at, int64_t bytes) {
  if (bytes <= 0) return Decoder::address(raw(at));
  uint32_t filter = ~0u;
  auto held =
      std::as_writable_bytes(std::span(&filter, 1)).first(std::min<size_t>(static_cast<size_t>(bytes), sizeof filter));
  if (!decoder.read_bytes(at, held)) return decoder.missing(at);
  bool inverted = std::popcount(filter) >= kTypes * 2 / 3;
  if (inverted) filter = ~filter;
  std::span<Value> items = decoder.arena().array<Value>(static_cast<size_t>(std::popcount(filter)));
  size_t shown = 0;
  for (uint32_t type = 0; type < kTypes; type++)
    if (filter >> type & 1) items[shown++] = Decoder::named(type, kIcmpTypes);
  return {Array{items, inverted ? ArrayStyle::Complement : ArrayStyle::Set, false, {}}, {}};
}

}  // namespace strut
