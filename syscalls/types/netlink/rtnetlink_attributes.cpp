#include "syscalls/types/netlink/rtnetlink_attributes.hpp"

#include <vector>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/netlink/netlink_family.hpp"
#include "syscalls/types/netlink/rtnetlink_bridge.hpp"
#include "syscalls/types/netlink/rtnetlink_link_parts.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/netlink/rtnetlink_tables.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

constexpr uint8_t kMctpFamily = 45;

// -- links ------------------------------------------------------------------------------------------------

constexpr FieldType kStatsFields[] = {
    field("rx_packets", kUInt), field("tx_packets", kUInt), field("rx_bytes", kUInt), field("tx_bytes", kUInt),
    field("rx_errors", kUInt), field("tx_errors", kUInt), field("rx_dropped", kUInt), field("tx_dropped", kUInt),
    field("multicast", kUInt), field("collisions", kUInt), field("rx_length_errors", kUInt),
    field("rx_over_errors", kUInt), field("rx_crc_errors", kUInt), field("rx_frame_errors", kUInt),
    field("rx_fifo_errors", kUInt), field("rx_missed_errors", kUInt), field("tx_aborted_errors", kUInt),
    field("tx_carrier_errors", kUInt), field("tx_fifo_errors", kUInt), field("tx_heartbeat_errors", kUInt),
    field("tx_window_errors", kUInt), field("rx_compressed", kUInt), field("tx_compressed", kUInt),
    field("rx_nohandler", kUInt),
};
constexpr FieldType kStats64Fields[] = {
    field("rx_packets", kU64), field("tx_packets", kU64), field("rx_bytes", kU64), field("tx_bytes", kU64),
    field("rx_errors", kU64), field("tx_errors", kU64), field("rx_dropped", kU64), field("tx_dropped", kU64),
    field("multicast", kU64), field("collisions", kU64), field("rx_length_errors", kU64), field("rx_over_errors", kU64),
    field("rx_crc_errors", kU64), field("rx_frame_errors", kU64), field("rx_fifo_errors", kU64),
    field("rx_missed_errors", kU64), field("tx_aborted_errors", kU64), field("tx_carrier_errors", kU64),
    field("tx_fifo_errors", kU64), field("tx_heartbeat_errors", kU64), field("tx_window_errors", kU64),
    field("rx_compressed", kU64), field("tx_compressed", kU64), field("rx_nohandler", kU64),
    field("rx_otherhost_dropped", kU64),
};
constexpr FieldType kMapFields[] = {
    field("mem_start", kHex64), field("mem_end", kHex64), field("base_addr", kHex64), field("irq", kU16),
    field("dma", kU8), field("port", kU8),
};
constexpr StructLayout kStats = {"rtnl_link_stats", kStatsFields};
constexpr StructLayout kStats64 = {"rtnl_link_stats64", kStats64Fields};
constexpr StructLayout kMap = {"rtnl_link_ifmap", kMapFields};

/// Counters of which the last kAdded came one by one: the message must have a whole number of them from kLeast on.
template <const StructLayout& kLayout, size_t kLeast, size_t kAdded>
Value statistics(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  size_t counter = size_of(kLayout, decoder.abi()) / (kLeast + kAdded);
  size_t bytes = std::min(data.size, size_of(kLayout, decoder.abi()));
  if (bytes < kLeast * counter || bytes % counter != 0) return data.binary(decoder);
  Value value = decoder.structure(kLayout, data.at, bytes);
  if (auto* counters = std::get_if<Struct>(&value.is)) counters->cut = false;
  return value;
}

/// struct rtnl_link_ifmap without its padding.
Value interface_map(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kBytes = 28;
  if (!data.holds(kBytes)) return data.binary(decoder);
  std::span<std::byte> copy = decoder.arena().array<std::byte>(size_of(kMap, decoder.abi()));
  std::memcpy(copy.data(), data.bytes.data(), kBytes);
  return decoder.structure(kMap, data.at, copy);
}

constexpr Attribute kXdpList[] = {
    holds(1, attribute_s32), names_short(2, kXdpAttached, 1), names(3, kXdpLinkFlags, 4), holds(4, attribute_u32),
    holds(5, attribute_u32), holds(6, attribute_u32), holds(7, attribute_u32), holds(8, attribute_s32),
};
constinit const AttributeSet kXdp = {&kXdpAttributeNames, kXdpList};

Value link_address(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  constexpr size_t kLongest = 32;
  if (data.size > kLongest || !data.holds(data.size)) return data.binary(decoder);
  // How much of it strace(1) shows it asks the message's family, as if that were a type of hardware.
  Value address =
      attribute_mac(decoder, data.first(hardware_address_bytes(context.family).value_or(kLongest)), context);
  if (auto* alias = std::get_if<Alias>(&address.is))
    alias->plain = decoder.arena().make(Value{Text{data.bytes, TextKind::Binary, false, false}, {}});
  return address;
}

constexpr FieldType kInet6CacheFields[] = {
    field("max_reasm_len", kUInt), field("tstamp", kUInt), field("reachable_time", kUInt), field("retrans_time", kUInt),
};
constexpr StructLayout kInet6Cache = {"ifla_cacheinfo", kInet6CacheFields};

constexpr Attribute kInetList[] = {holds(1, attribute_indexed<int32_t, kIpv4ConfNames>)};
constinit const AttributeSet kInet = {&kLinkInetAttributeNames, kInetList};
constexpr Attribute kInet6List[] = {
    names_all(1, kInet6LinkFlags, 4),
    holds(2, attribute_indexed<int32_t, kIpv6ConfNames>),
    holds(3, attribute_indexed<uint64_t, kIpv6StatsNames>),
    is(5, kInet6Cache),
    holds(6, attribute_indexed<uint64_t, kIcmp6StatsNames>),
    holds(7, attribute_address_of<kAfInet6>),
    names_all(8, kAddressGeneration, 1),
    holds(9, attribute_u32),
};
constinit const AttributeSet kInet6 = {&kLinkInet6AttributeNames, kInet6List};
constexpr Attribute kFamilySpecList[] = {nests(kAfInet, kInet), nests(kAfInet6, kInet6),
                                         nests(kMctpFamily, kMctpAttributes)};
constinit const AttributeSet kFamilySpecs = {&kAddressFamilies, kFamilySpecList};
constexpr Attribute kPropertyList[] = {holds(53, attribute_text)};
constinit const AttributeSet kProperties = {&kLinkAttributeNames, kPropertyList};
constexpr Attribute kProtoDownList[] = {holds(1, attribute_x32), holds(2, attribute_x32)};
constinit const AttributeSet kProtoDown = {&kProtoDownAttributeNames, kProtoDownList};
/// The family's data about a port or a link: known for bridges.
Value protocol_info(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  if (context.family != kBridgeFamily) return data.binary(decoder);
  return decode_nested_attributes(decoder, data, kBridgePortAttributes, context);
}
Value family_spec(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  const AttributeSet& set = context.family == kBridgeFamily ? kBridgeSpecAttributes : kFamilySpecs;
  return decode_nested_attributes(decoder, data, set, context);
}

constexpr Attribute kLinkList[] = {
    holds(1, link_address),
    holds(2, link_address),
    holds(3, attribute_text),
    holds(4, attribute_u32),
    holds(5, attribute_u32),
    holds(6, attribute_text),
    holds(7, statistics<kStats, 23, 1>),
    holds(10, attribute_u32),
    holds(12, protocol_info),
    holds(13, attribute_u32),
    holds(14, interface_map),
    holds(15, attribute_u32),
    holds(16, attribute_u8),
    holds(17, attribute_u8),
    holds(18, decode_link_info),
    holds(19, attribute_u32),
    holds(20, attribute_text),
    holds(21, attribute_u32),
    nests(22, kVfInfosAttributes),
    holds(23, link_statistics),
    nests(24, kVfPortsAttributes),
    nests(25, kPortAttributes),
    holds(26, family_spec),
    holds(27, attribute_u32),
    holds(28, attribute_fd),
    names_all(29, kLinkFilters, 4),
    holds(30, attribute_u32),
    holds(31, attribute_u32),
    holds(32, attribute_u32),
    holds(33, attribute_u8),
    holds(35, attribute_u32),
    holds(37, attribute_s32),
    holds(38, attribute_text),
    holds(39, attribute_u8),
    holds(40, attribute_u32),
    holds(41, attribute_u32),
    nests(43, kXdp),
    names(44, kLinkEvents, 4),
    holds(45, attribute_s32),
    holds(46, attribute_s32),
    holds(47, attribute_u32),
    holds(48, attribute_u32),
    holds(49, attribute_interface),
    holds(50, attribute_u32),
    holds(51, attribute_u32),
    nests(52, kProperties),
    holds(53, attribute_text),
    holds(54, link_address),
    nests(55, kProtoDown),
    holds(56, attribute_text),
    holds(57, attribute_text),
    holds(58, attribute_u32),
    holds(59, attribute_u32),
    holds(60, attribute_u32),
    holds(61, attribute_u32),
    holds(62, attribute_u32),
    holds(63, attribute_u32),
    holds(64, attribute_u32),
    holds(66, attribute_u64),
    holds(67, attribute_u8),
    holds(68, attribute_u16),
    holds(69, attribute_u16),
};

// -- addresses --------------------------------------------------------------------------------------------

constexpr FieldType kAddressCacheFields[] = {
    field("ifa_prefered", kUInt), field("ifa_valid", kUInt), field("cstamp", kUInt), field("tstamp", kUInt),
};
constexpr StructLayout kAddressCache = {"ifa_cacheinfo", kAddressCacheFields};
constexpr Attribute kAddressList[] = {
    holds(1, attribute_address), holds(2, attribute_address), holds(3, attribute_text), holds(4, attribute_address),
    holds(5, attribute_address), is(6, kAddressCache), holds(7, attribute_address), names(8, kAddressFlags, 4),
    holds(9, attribute_u32), holds(10, attribute_s32),
};

// -- routes -----------------------------------------------------------------------------------------------

constexpr Attribute kMetricList[] = {
    holds(1, attribute_u32), holds(2, attribute_u32), holds(3, attribute_u32), holds(4, attribute_u32),
    holds(5, attribute_u32), holds(6, attribute_u32), holds(7, attribute_u32), holds(8, attribute_u32),
    holds(9, attribute_u32), holds(10, attribute_u32), holds(11, attribute_u32), holds(12, attribute_u32),
    holds(13, attribute_u32), holds(14, attribute_u32), holds(15, attribute_u32), holds(16, attribute_text),
};
constinit const AttributeSet kMetrics = {&kRouteMetricAttributeNames, kMetricList};

constexpr FieldType kRouteCacheFields[] = {
    field("rta_clntref", kUInt), field("rta_lastuse", kUInt), field("rta_expires", kUInt), field("rta_error", kUInt),
    field("rta_used", kUInt), field("rta_id", kHex32), field("rta_ts", kUInt), field("rta_tsage", kUInt),
};
constexpr StructLayout kRouteCache = {"rta_cacheinfo", kRouteCacheFields};
constexpr FieldType kMfcStatsFields[] = {
    field("mfcs_packets", kU64), field("mfcs_bytes", kU64), field("mfcs_wrong_if", kU64),
};
constexpr StructLayout kMfcStats = {"rta_mfc_stats", kMfcStatsFields};
constexpr size_t kNextHopBytes = 8;  // struct rtnexthop

/// A next hop: a structure, and in brackets with it the attributes of its own.
Value next_hop(Decoder& decoder, const NetlinkBytes& hop, const AttributeContext& context) {
  const FieldValue fields[] = {
      {"rtnh_len", Decoder::number(hop.get<uint16_t>(), Show::Unsigned, 2)},
      {"rtnh_flags", Decoder::named(hop.get<uint8_t>(2), kNexthopFlags, 1)},
      {"rtnh_hops", Decoder::number(hop.get<uint8_t>(3), Show::Unsigned, 1)},
      {"rtnh_ifindex", interface_index(decoder, hop.get<uint32_t>(4))},
  };
  Value structure = decoder.fields(fields);
  NetlinkBytes attributes = hop.first(hop.get<uint16_t>()).from(kNextHopBytes);
  if (attributes.size == 0) return structure;
  const Value parts[] = {structure, decode_netlink_attributes(decoder, attributes, kRouteAttributes, context)};
  return list_of(decoder, parts);
}

/// Next hops: in brackets if there is more than one.
Value multipath(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  if (!data.holds(kNextHopBytes)) return data.binary(decoder);
  std::vector<Value> hops;
  NetlinkBytes rest = data;
  while (rest.size >= kNextHopBytes && rest.holds(kNextHopBytes)) {
    hops.push_back(next_hop(decoder, rest, context));
    rest = rest.from(std::max<size_t>(netlink_aligned(rest.get<uint16_t>()), 4));
  }
  return hops.size() == 1 && rest.size == 0 ? hops[0] : list_of(decoder, hops);
}

Value via(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(2)) return data.binary(decoder);
  auto family = data.get<uint16_t>();
  FieldList fields;
  fields.add("rtvia_family", Decoder::named(family, kAddressFamilies, 2));
  NetlinkBytes address = data.from(2);
  if (address.size > 0)
    fields.add("rtvia_addr", family > UINT8_MAX ? address.binary(decoder)
                                                : attribute_address(decoder, address, {static_cast<uint8_t>(family)}));
  return fields.structure(decoder);
}

constexpr Attribute kRouteList[] = {
    holds(1, attribute_address),
    holds(2, attribute_address),
    holds(3, attribute_interface),
    holds(4, attribute_interface),
    holds(5, attribute_address),
    holds(6, attribute_u32),
    holds(7, attribute_address),
    nests(8, kMetrics),
    holds(9, multipath),
    holds(10, attribute_u32),
    holds(11, attribute_u32),
    is(12, kRouteCache),
    holds(14, attribute_u32),
    names(15, kBareRouteTables, 4),
    holds(16, attribute_u32),
    is(17, kMfcStats),
    holds(18, via),
    holds(19, attribute_address),
    holds(20, attribute_u8),
    names(21, kEncapsulations, 2),
    holds(23, attribute_u64),
    holds(25, attribute_u32),
    holds(26, attribute_u8),
    holds(27, attribute_u8),
    holds(28, attribute_u16),
    holds(29, attribute_u16),
    holds(30, attribute_u32),
    holds(31, attribute_net_long),
};

// -- neighbours, rules, traffic control -----------------------------------------------------------------------

constexpr FieldType kNeighbourCacheFields[] = {
    field("ndm_confirmed", kUInt), field("ndm_used", kUInt), field("ndm_updated", kUInt), field("ndm_refcnt", kUInt),
};
constexpr StructLayout kNeighbourCache = {"nda_cacheinfo", kNeighbourCacheFields};
constexpr Attribute kNeighbourList[] = {
    holds(1, attribute_address), holds(2, attribute_mac), is(3, kNeighbourCache), holds(4, attribute_u32),
    holds(5, attribute_u16), holds(6, attribute_port), holds(7, attribute_u32), holds(8, attribute_interface),
    holds(9, attribute_interface), holds(10, attribute_u32), holds(11, attribute_u32),
    names_all(12, kIpProtocols, 1), holds(13, attribute_u32), nests(14, kNeighbourFdbAttributes),
    names_all(15, kNeighbourExtendedFlags, 4), names_short(16, kNeighbourStates, 2),
    names_short(17, kNeighbourFlags, 1),
};

Value tunnel_id(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(8)) return data.binary(decoder);
  Value id = Decoder::number(__builtin_bswap64(data.get<uint64_t>()), Show::Unsigned, 8);
  return {Form{"htobe64", decoder.arena().copy(std::span<const Value>(&id, 1)), nullptr}, {}};
}
constexpr FieldType kUidRangeFields[] = {field("start", kUInt), field("end", kUInt)};
constexpr StructLayout kUidRange = {"fib_rule_uid_range", kUidRangeFields};
constexpr FieldType kPortRangeFields[] = {field("start", kU16), field("end", kU16)};
constexpr StructLayout kPortRange = {"fib_rule_port_range", kPortRangeFields};
constexpr Attribute kRuleList[] = {
    holds(1, attribute_address), holds(2, attribute_address), holds(3, attribute_text), holds(4, attribute_u32),
    holds(6, attribute_u32), holds(10, attribute_u32), holds(11, attribute_u32), holds(12, tunnel_id),
    holds(13, attribute_u32), holds(14, attribute_u32), names(15, kBareRouteTables, 4), holds(16, attribute_u32),
    holds(17, attribute_text), holds(19, attribute_u8), is(20, kUidRange), names(21, kRouteProtocols, 1),
    names_all(22, kIpProtocols, 1), is(23, kPortRange), is(24, kPortRange), holds(25, attribute_u8),
    holds(26, attribute_net_long), holds(27, attribute_net_long), holds(28, attribute_x16), holds(29, attribute_x16),
    holds(30, attribute_x8),
};

constexpr FieldType kTcStatsFields[] = {
    field("bytes", kU64), field("packets", kUInt), field("drops", kUInt), field("overlimits", kUInt),
    field("bps", kUInt),  field("pps", kUInt),     field("qlen", kUInt),  field("backlog", kUInt),
};
constexpr StructLayout kTcStats = {"tc_stats", kTcStatsFields};
/// struct tc_stats without its padding.
Value tc_stats(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kBytes = 36;
  if (!data.holds(kBytes)) return data.binary(decoder);
  std::span<std::byte> copy = decoder.arena().array<std::byte>(size_of(kTcStats, decoder.abi()));
  std::memcpy(copy.data(), data.bytes.data(), kBytes);
  return decoder.structure(kTcStats, data.at, copy);
}
constexpr FieldType kEstimatorFields[] = {field("interval", kS8), field("ewma_log", kU8)};
constexpr StructLayout kEstimator = {"tc_estimator", kEstimatorFields};
constexpr Attribute kTcList[] = {
    holds(1, attribute_text),     holds(3, tc_stats),          is(5, kEstimator),        holds(6, attribute_u32),
    nests(7, kTcStatsAttributes), nests(8, kTcStabAttributes), holds(11, attribute_u32), holds(12, attribute_u8),
    holds(13, attribute_u32),     holds(14, attribute_u32),    holds(15, attribute_u32), holds(16, attribute_text),
};

}  // namespace

Value link_statistics(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  return statistics<kStats64, 23, 2>(decoder, data, context);
}

constinit const AttributeSet kLinkAttributes = {&kLinkAttributeNames, kLinkList};
constinit const AttributeSet kAddressAttributes = {&kAddressAttributeNames, kAddressList};
constinit const AttributeSet kRouteAttributes = {&kRouteAttributeNames, kRouteList};
constinit const AttributeSet kNeighbourAttributes = {&kNeighbourAttributeNames, kNeighbourList};
constinit const AttributeSet kRuleAttributes = {&kRuleAttributeNames, kRuleList};
constinit const AttributeSet kTcAttributes = {&kTcAttributeNames, kTcList};

}  // namespace strut
