#include "syscalls/types/netlink/rtnetlink_bridge.hpp"

#include <linux/if_bridge.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/netlink/rtnetlink_bridge_names.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/netlink/sock_diag_attributes.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

/// struct ifla_bridge_id: a priority of two bytes and a hardware address.
Value bridge_id(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kBytes = 8, kAddressAt = 2;
  if (!data.holds(kBytes)) return data.binary(decoder);
  const Value priority[] = {Decoder::number(data.get<uint8_t>(0), Show::Unsigned, 1),
                            Decoder::number(data.get<uint8_t>(1), Show::Unsigned, 1)};
  const FieldValue fields[] = {
      {"prio", list_of(decoder, priority)},
      {"addr", mac_address(decoder, data.bytes.substr(kAddressAt, kBytes - kAddressAt))},
  };
  return decoder.fields(fields);
}

Value ethernet_type(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kLongest = 8;
  if (!data.holds(2) || data.size > kLongest) return data.binary(decoder);
  ConstantSet names = kEthernetProtocols;
  names.unknown = "ETHER_P_???";
  Value type = Decoder::named(__builtin_bswap16(data.get<uint16_t>()), *decoder.arena().make(names), 2);
  return {Form{"htons", decoder.arena().copy(std::span<const Value>(&type, 1)), nullptr, true}, {}};
}

constexpr FieldType kOptionFields[] = {field("optval", named(kBridgeOptions)), field("optmask", named(kBridgeOptions))};
constexpr StructLayout kOptions = {"br_boolopt_multi", kOptionFields};

constexpr Attribute kQuerierList[] = {
    holds(1, attribute_address_of<kAfInet>), holds(2, attribute_interface), holds(3, attribute_ticks),
    holds(5, attribute_address_of<kAfInet6>), holds(6, attribute_interface), holds(7, attribute_ticks),
};
constinit const AttributeSet kQuerier = {&kBridgeQuerierNames, kQuerierList};

constexpr Attribute kBridgeList[] = {
    holds(1, attribute_ticks), holds(2, attribute_ticks), holds(3, attribute_ticks), holds(4, attribute_ticks),
    holds(5, attribute_u32), holds(6, attribute_u16), holds(7, attribute_u8), holds(8, ethernet_type),
    holds(9, attribute_x16), holds(10, bridge_id), holds(11, bridge_id), holds(12, attribute_u16),
    holds(13, attribute_u32), holds(14, attribute_u8), holds(15, attribute_u8), holds(16, attribute_ticks),
    holds(17, attribute_ticks), holds(18, attribute_ticks), holds(19, attribute_ticks), holds(20, attribute_mac),
    holds(22, attribute_u8), holds(23, attribute_u8), holds(24, attribute_u8), holds(25, attribute_u8),
    holds(26, attribute_u32), holds(27, attribute_u32), holds(28, attribute_u32), holds(29, attribute_u32),
    holds(30, attribute_ticks), holds(31, attribute_ticks), holds(32, attribute_ticks), holds(33, attribute_ticks),
    holds(34, attribute_ticks), holds(35, attribute_ticks), holds(36, attribute_u8), holds(37, attribute_u8),
    holds(38, attribute_u8), holds(39, attribute_u16), holds(41, attribute_u8), holds(42, attribute_u8),
    holds(43, attribute_u8), holds(44, attribute_u8), holds(45, attribute_u8), is(46, kOptions), nests(47, kQuerier),
    holds(48, attribute_u32), holds(49, attribute_u32), names_short(50, kSpanningTreeModes, 4),
};

constexpr Attribute kBridgePortList[] = {
    holds(1, attribute_u8), holds(2, attribute_u16), holds(3, attribute_u32), holds(4, attribute_u8),
    holds(5, attribute_u8), holds(6, attribute_u8), holds(7, attribute_u8), holds(8, attribute_u8),
    holds(9, attribute_u8), holds(10, attribute_u8), holds(11, attribute_u8), holds(12, attribute_u8),
    holds(13, bridge_id), holds(14, bridge_id), holds(15, attribute_u16), holds(16, attribute_u16),
    holds(17, attribute_u16), holds(18, attribute_u16), holds(19, attribute_u8), holds(20, attribute_u8),
    holds(21, attribute_ticks), holds(22, attribute_ticks), holds(23, attribute_ticks), holds(25, attribute_u8),
    holds(27, attribute_u8), holds(28, attribute_u8), holds(29, attribute_u8), holds(30, attribute_u8),
    holds(31, attribute_x16), holds(32, attribute_u8), holds(33, attribute_u8), holds(34, attribute_interface),
    holds(35, attribute_u8), holds(36, attribute_u8), holds(37, attribute_u32), holds(38, attribute_u32),
    holds(39, attribute_u8), holds(40, attribute_u8), holds(41, attribute_u32), holds(42, attribute_u32),
    holds(43, attribute_u8), holds(44, attribute_u32), holds(45, attribute_u8),
};

// -- a bridge's view of a link --------------------------------------------------------------------------

constexpr FieldType kBridgeVlanFields[] = {field("flags", named(kBridgeVlanFlags, Width::B2)), field("vid", kU16)};
constexpr StructLayout kBridgeVlan = {"bridge_vlan_info", kBridgeVlanFields};
constexpr size_t kVlanBytes = sizeof(bridge_vlan_info);
Value vlan(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.holds(kVlanBytes) ? decoder.structure(kBridgeVlan, data.at) : data.binary(decoder);
}
Value behind_vlan(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  return data.size > kVlanBytes && data.holds(kVlanBytes) ? data.from(kVlanBytes).binary(decoder) : Value{};
}
constexpr Attribute kTunnelList[] = {
    holds(1, attribute_u32), holds(2, attribute_u16), names_short(3, kBridgeVlanFlags, 2),
};
constinit const AttributeSet kTunnel = {&kBridgeTunnelAttributeNames, kTunnelList};
constexpr Attribute kSpecList[] = {
    names_short(0, kBridgeFlags, 2),
    names_short(1, kBridgeModes, 2),
    holds_both(2, vlan, behind_vlan),
    nests(3, kTunnel),
};

// -- multicast groups ---------------------------------------------------------------------------------------

/// struct br_mdb_entry. The protocol of its address is shown like an address family, and decides its form.
constexpr size_t kEntryBytes = sizeof(br_mdb_entry), kAddressAt = 8, kProtocolAt = 24;
Value group_entry(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  if (!data.holds(kEntryBytes)) return data.binary(decoder);
  uint16_t protocol = __builtin_bswap16(data.get<uint16_t>(kProtocolAt));
  auto family = static_cast<uint8_t>(protocol > 0xff ? 0 : protocol);
  Value named_protocol = Decoder::named(protocol, kAddressFamilies, 2);
  const FieldValue address[] = {
      {"u", sixteen_byte_address(decoder, data.from(kAddressAt).first(16), family)},
      {"proto", {Form{"htons", decoder.arena().copy(std::span<const Value>(&named_protocol, 1)), nullptr, true}, {}}},
  };
  const FieldValue fields[] = {
      {"ifindex", interface_index(decoder, data.get<uint32_t>())},
      {"state", Decoder::named(data.get<uint8_t>(4), kMdbStates, 1)},
      {"flags", Decoder::named(data.get<uint8_t>(5), kMdbFlags, 1)},
      {"vid", Decoder::number(data.get<uint16_t>(6), Show::Unsigned, 2)},
      {"addr", decoder.fields(address)},
  };
  return decoder.fields(fields);
}
constexpr Attribute kEntryAttributeList[] = {holds(1, attribute_ticks)};
constinit const AttributeSet kEntryAttributes = {&kMdbEntryAttributeNames, kEntryAttributeList};
Value behind_entry(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  if (data.size <= kEntryBytes || !data.holds(kEntryBytes)) return {};
  return decode_nested_attributes(decoder, data.from(kEntryBytes), kEntryAttributes, context);
}
constexpr Attribute kEntryList[] = {holds_both(1, group_entry, behind_entry)};
constinit const AttributeSet kEntry = {&kMdbEntryNames, kEntryList};
constexpr Attribute kBridgeGroupList[] = {nests(1, kEntry)};
constinit const AttributeSet kBridgeGroup = {&kMdbNames, kBridgeGroupList};

constexpr Attribute kRouterPortList[] = {
    holds(1, attribute_ticks), names(2, kMdbRouterTypes, 1), holds(3, attribute_ticks), holds(4, attribute_ticks),
};
constinit const AttributeSet kRouterPort = {&kMdbRouterPortNames, kRouterPortList};
Value behind_router(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  constexpr size_t kIndexBytes = 4;
  if (data.size <= kIndexBytes || !data.holds(kIndexBytes)) return {};
  return decode_nested_attributes(decoder, data.from(kIndexBytes), kRouterPort, context);
}
constexpr Attribute kRouterList[] = {holds_both(1, attribute_interface, behind_router)};
constinit const AttributeSet kRouter = {&kMdbRouterNames, kRouterList};
constexpr Attribute kMdbList[] = {nests(1, kBridgeGroup), nests(2, kRouter)};

}  // namespace

constinit const AttributeSet kBridgeAttributes = {&kBridgeAttributeNames, kBridgeList};
constinit const AttributeSet kBridgePortAttributes = {&kBridgePortAttributeNames, kBridgePortList};
constinit const AttributeSet kBridgeSpecAttributes = {&kBridgeSpecAttributeNames, kSpecList};
constinit const AttributeSet kMdbAttributes = {&kMdbAttributeNames, kMdbList};

}  // namespace strut
