#include "syscalls/types/netlink/rtnetlink_link_parts.hpp"

#include <linux/if_link.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/field_list.hpp"
#include "syscalls/types/common/shown_bytes.hpp"
#include "syscalls/types/netlink/rtnetlink_bridge.hpp"
#include "syscalls/types/netlink/rtnetlink_link_names.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/mac_address.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- virtual functions ----------------------------------------------------------------------------------------

constexpr uint32_t kAddressBytes = 32;  // MAX_ADDR_LEN of the kernel's <linux/netdevice.h>
constexpr Type kHardwareAddress = kBytesShownBy<mac_address, kAddressBytes>;
Value vlan_protocol(Decoder& decoder, uint64_t bits) {
  Value type = Decoder::named(__builtin_bswap16(static_cast<uint16_t>(bits)), kEthernetProtocols, 2);
  return {Form{"htons", decoder.arena().copy(std::span<const Value>(&type, 1)), nullptr, true}, {}};
}
constexpr Type kVlanProtocol = shown_by(vlan_protocol, Width::B2);

constexpr FieldType kMacFields[] = {field("vf", kUInt), field("mac", kHardwareAddress)};
constexpr FieldType kBroadcastFields[] = {field("broadcast", kHardwareAddress)};
constexpr FieldType kLinkVlanFields[] = {field("vf", kUInt), field("vlan", kUInt), field("qos", kUInt)};
constexpr FieldType kTxRateFields[] = {field("vf", kUInt), field("rate", kUInt)};
constexpr FieldType kSettingFields[] = {field("vf", kUInt), field("setting", kUInt)};
constexpr FieldType kStateFields[] = {field("vf", kUInt), field("link_state", named(kVfLinkStates))};
constexpr FieldType kLinkRateFields[] = {field("vf", kUInt), field("min_tx_rate", kUInt), field("max_tx_rate", kUInt)};
constexpr FieldType kVlanInfoFields[] = {
    field("vf", kUInt), field("vlan", kUInt), field("qos", kUInt), field("vlan_proto", kVlanProtocol),
};
constexpr StructLayout kMac = {"ifla_vf_mac", kMacFields};
constexpr StructLayout kBroadcast = {"ifla_vf_broadcast", kBroadcastFields};
constexpr StructLayout kLinkVlan = {"ifla_vf_vlan", kLinkVlanFields};
constexpr StructLayout kTxRate = {"ifla_vf_tx_rate", kTxRateFields};
constexpr StructLayout kSetting = {"ifla_vf_spoofchk", kSettingFields};
constexpr StructLayout kLinkState = {"ifla_vf_link_state", kStateFields};
constexpr StructLayout kLinkRate = {"ifla_vf_rate", kLinkRateFields};
constexpr StructLayout kVlanInfo = {"ifla_vf_vlan_info", kVlanInfoFields};
static_assert(size_of(kMac, Abi::X86_64) == sizeof(ifla_vf_mac) &&
              size_of(kVlanInfo, Abi::X86_64) == sizeof(ifla_vf_vlan_info));

/// struct ifla_vf_guid, with its identifier right after the number in 32-bit programs.
Value guid(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kPackedBytes = 12, kPaddedBytes = 16;
  if ((data.size != kPackedBytes && data.size != kPaddedBytes) || !data.holds(data.size)) return data.binary(decoder);
  const FieldValue fields[] = {
      {"vf", Decoder::number(data.get<uint32_t>(), Show::Unsigned, 4)},
      {"guid", Decoder::number(data.get<uint64_t>(data.size - sizeof(uint64_t)), Show::Hex, 8)},
  };
  return decoder.fields(fields);
}

constexpr Attribute kVfStatsList[] = {
    holds(0, attribute_u64), holds(1, attribute_u64), holds(2, attribute_u64), holds(3, attribute_u64),
    holds(4, attribute_u64), holds(5, attribute_u64), holds(7, attribute_u64), holds(8, attribute_u64),
};
constinit const AttributeSet kVfStats = {&kVfStatsNames, kVfStatsList};
constexpr Attribute kVfVlanList[] = {is(1, kVlanInfo)};
constinit const AttributeSet kVfVlans = {&kVfVlanNames, kVfVlanList};
constexpr Attribute kVfList[] = {
    is(1, kMac), is(2, kLinkVlan), is(3, kTxRate), is(4, kSetting), is(5, kLinkState), is(6, kLinkRate),
    is(7, kSetting), nests(8, kVfStats), is(9, kSetting), holds(10, guid), holds(11, guid), nests(12, kVfVlans),
    is(13, kBroadcast),
};
constinit const AttributeSet kVf = {&kVfAttributeNames, kVfList};
constexpr Attribute kVfsList[] = {nests(1, kVf)};

// -- ports ----------------------------------------------------------------------------------------------------

/// struct ifla_port_vsi: an id of three bytes, as many of padding.
Value station_type(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  constexpr size_t kBytes = 8, kIdAt = 1, kVersionAt = 4, kPaddingAt = 5;
  if (!data.holds(kBytes)) return data.binary(decoder);
  std::string_view padding = data.bytes.substr(kPaddingAt, kBytes - kPaddingAt);
  FieldList fields;
  fields.add("vsi_mgr_id", Decoder::number(data.get<uint8_t>(), Show::Unsigned, 1));
  fields.add("vsi_type_id", decoder.text(data.bytes.substr(kIdAt, kVersionAt - kIdAt), TextKind::Binary));
  fields.add("vsi_type_version", Decoder::number(data.get<uint8_t>(kVersionAt), Show::Unsigned, 1));
  if (padding.find_first_not_of('\0') != padding.npos) fields.add("pad", decoder.text(padding, TextKind::Binary));
  return fields.structure(decoder);
}
constexpr Attribute kLinkPortList[] = {
    holds(1, attribute_u32), holds(2, attribute_text), holds(3, station_type), holds(6, attribute_u8),
    holds(7, attribute_u16),
};
constexpr Attribute kPortsList[] = {nests(1, kPortAttributes)};

// -- kinds of links -------------------------------------------------------------------------------------------

constexpr Attribute kTunList[] = {
    holds(1, attribute_id), holds(2, attribute_id), names_short(3, kTunTypes, 1), holds(4, attribute_u8),
    holds(5, attribute_u8), holds(6, attribute_u8), holds(7, attribute_u8), holds(8, attribute_u32),
    holds(9, attribute_u32),
};
constinit const AttributeSet kTun = {&kTunAttributeNames, kTunList};
constexpr uint16_t kKind = 1, kData = 2, kSlaveKind = 4, kSlaveData = 5;  // IFLA_INFO_*

/// The name in the last attribute of this type that stands before one of another type.
std::string_view kind_before(const NetlinkBytes& bytes, uint16_t type, uint16_t before) {
  constexpr size_t kHeaderBytes = 4;
  std::string_view kind;
  for (NetlinkBytes rest = bytes; rest.holds(kHeaderBytes);) {
    uint16_t length = rest.get<uint16_t>(), here = rest.get<uint16_t>(2) & 0x3fff;
    std::string_view content = rest.first(length).from(kHeaderBytes).bytes;
    if (here == before || length < kHeaderBytes) break;
    if (here == type) kind = content.substr(0, content.find('\0'));
    rest = rest.from(netlink_aligned(length));
  }
  return kind;
}

constexpr Attribute kMctpList[] = {holds(1, attribute_u32), holds(2, attribute_x8)};

}  // namespace

Value decode_link_info(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context) {
  std::string_view kind = kind_before(data, kKind, kData), slave = kind_before(data, kSlaveKind, kSlaveData);
  Attribute rows[4] = {holds(kKind, attribute_c_string), holds(kSlaveKind, attribute_c_string)};
  size_t count = 2;
  if (kind == "bridge") rows[count++] = nests(kData, kBridgeAttributes);
  if (kind == "tun") rows[count++] = nests(kData, kTun);
  if (slave == "bridge") rows[count++] = nests(kSlaveData, kBridgePortAttributes);
  AttributeSet set{&kLinkInfoAttributeNames, std::span(rows).first(count)};
  return decode_nested_attributes(decoder, data, set, context);
}

constinit const AttributeSet kVfInfosAttributes = {&kVfListAttributeNames, kVfsList};
constinit const AttributeSet kPortAttributes = {&kPortAttributeNames, kLinkPortList};
constinit const AttributeSet kVfPortsAttributes = {&kVfPortAttributeNames, kPortsList};
constinit const AttributeSet kMctpAttributes = {&kMctpAttributeNames, kMctpList};

}  // namespace strut
