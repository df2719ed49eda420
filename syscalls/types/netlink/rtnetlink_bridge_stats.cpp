#include "syscalls/types/netlink/rtnetlink_bridge_stats.hpp"

#include <linux/if_bridge.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/netlink/rtnetlink_bridge_names.hpp"
#include "syscalls/types/netlink/rtnetlink_link_names.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr int16_t kPaddingAt = 36;
constexpr FieldType kBridgeStatsVlanFields[] = {
    field("rx_bytes", kU64), field("rx_packets", kU64), field("tx_bytes", kU64), field("tx_packets", kU64),
    field("vid", kU16), field("flags", named(kBridgeVlanFlags, Width::B2)),
    field("pad2", kHex32,
          [](Decoder& decoder, Addr at) { return decoder.read_number(at + kPaddingAt, Width::B4).value_or(0) != 0; }),
};
constexpr FieldType kTreeFields[] = {
    field("transition_blk", kU64), field("transition_fwd", kU64), field("rx_bpdu", kU64), field("tx_bpdu", kU64),
    field("rx_tcn", kU64), field("tx_tcn", kU64),
};

/// A counter of incoming packets and one of outgoing ones.
Value decode_directions(Decoder& decoder, uint64_t at, size_t) {
  Value items[2];
  for (size_t i = 0; i < std::size(items); i++) {
    auto count = decoder.read_number(Addr{at + i * sizeof(uint64_t)}, Width::B8);
    if (!count) return decoder.missing(Addr{at});
    items[i] = indexed_item(decoder, i, kMulticastDirections, Decoder::number(*count, Show::Unsigned));
  }
  return {Array{decoder.arena().copy(std::span<const Value>(items)), ArrayStyle::Indexed, false, {}}, {}};
}
constexpr Type kBoth = custom(decode_directions, 16, Width::B8);
constexpr FieldType kMulticastFields[] = {
    field("igmp_v1queries", kBoth), field("igmp_v2queries", kBoth), field("igmp_v3queries", kBoth),
    field("igmp_leaves", kBoth), field("igmp_v1reports", kBoth), field("igmp_v2reports", kBoth),
    field("igmp_v3reports", kBoth), field("igmp_parse_errors", kU64), field("mld_v1queries", kBoth),
    field("mld_v2queries", kBoth), field("mld_leaves", kBoth), field("mld_v1reports", kBoth),
    field("mld_v2reports", kBoth), field("mld_parse_errors", kU64), field("mcast_bytes", kBoth),
    field("mcast_packets", kBoth),
};
constexpr StructLayout kBridgeStatsVlan = {"bridge_vlan_xstats", kBridgeStatsVlanFields};
constexpr StructLayout kTree = {"bridge_stp_xstats", kTreeFields};
constexpr StructLayout kMulticast = {"br_mcast_stats", kMulticastFields};
static_assert(size_of(kMulticast, Abi::X86_64) == sizeof(br_mcast_stats));
static_assert(size_of(kBridgeStatsVlan, Abi::X86_64) == sizeof(bridge_vlan_xstats));

template <const StructLayout& kLayout>
Value counters(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.holds(size_of(kLayout, decoder.abi())) ? decoder.structure(kLayout, data.at) : data.binary(decoder);
}
template <const StructLayout& kLayout>
Value behind_counters(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  size_t bytes = size_of(kLayout, decoder.abi());
  return data.size > bytes && data.holds(bytes) ? data.from(bytes).binary(decoder) : Value{};
}
constexpr Attribute kBridgeStatsList[] = {
    holds_both(1, counters<kBridgeStatsVlan>, behind_counters<kBridgeStatsVlan>),
    holds_both(2, counters<kMulticast>, behind_counters<kMulticast>),
    holds_both(4, counters<kTree>, behind_counters<kTree>),
};

}  // namespace

constinit const AttributeSet kBridgeStatsAttributes = {&kBridgeXstatsNames, kBridgeStatsList};

}  // namespace strut
