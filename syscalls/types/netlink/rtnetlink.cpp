#include "syscalls/types/netlink/rtnetlink.hpp"

#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/if_addrlabel.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include "syscalls/notation.hpp"
#include "syscalls/types/common/hex.hpp"
#include "syscalls/types/netlink/netlink_family.hpp"
#include "syscalls/types/netlink/netlink_names.hpp"
#include "syscalls/types/netlink/rtnetlink_attributes.hpp"
#include "syscalls/types/netlink/rtnetlink_bridge.hpp"
#include "syscalls/types/netlink/rtnetlink_cache_report.hpp"
#include "syscalls/types/netlink/rtnetlink_link_names.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/netlink/rtnetlink_tables.hpp"
#include "syscalls/types/socket/link_names.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;


bool has_padding(Decoder& decoder, Addr structure, size_t offset, size_t bytes) {
  uint32_t value = 0;
  return decoder.read_bytes(structure + offset, std::as_writable_bytes(std::span(&value, 1)).first(bytes)) &&
         value != 0;
}

constexpr FieldType kRouteLinkFields[] = {
    field("ifi_family", kFamilyByte), padding(kU8), field("ifi_type", named(kHardwareTypes, Width::B2)),
    field("ifi_index", kInterfaceIndex), field("ifi_flags", named(kInterfaceFlags)), field("ifi_change", kHex32),
};
constexpr FieldType kAddressFields[] = {
    field("ifa_family", kFamilyByte), field("ifa_prefixlen", kU8), field("ifa_flags", named(kAddressFlags, Width::B1)),
    field("ifa_scope", named(kRouteScopes, Width::B1)), field("ifa_index", kInterfaceIndex),
};
constexpr FieldType kRouteFields[] = {
    field("rtm_family", kFamilyByte), field("rtm_dst_len", kU8), field("rtm_src_len", kU8),
    field("rtm_tos", named(kServiceTypes, Width::B1)), field("rtm_table", named(kBareRouteTables, Width::B1)),
    field("rtm_protocol", named(kRouteProtocols, Width::B1)), field("rtm_scope", named(kRouteScopes, Width::B1)),
    field("rtm_type", named(kRouteTypes, Width::B1)), field("rtm_flags", named(kRouteFlags)),
};
constexpr FieldType kNeighbourFields[] = {
    field("ndm_family", kFamilyByte), padding(kU8), padding(kU16), field("ndm_ifindex", kInterfaceIndex),
    field("ndm_state", named(kNeighbourStates, Width::B2)), field("ndm_flags", named(kNeighbourFlags, Width::B1)),
    field("ndm_type", named(kRouteTypes, Width::B1)),
};
constexpr FieldType kRuleFields[] = {
    field("family", kFamilyByte),
    field("dst_len", kU8),
    field("src_len", kU8),
    field("tos", named(kServiceTypes, Width::B1)),
    field("table", named(kRouteTables, Width::B1)),
    padding(kU8),
    padding(kU8),
    field("action", named(kRuleActions, Width::B1)),
    field("flags", named(kRuleFlags)),
};
constexpr FieldType kTcFields[] = {
    field("tcm_family", kFamilyByte),
    padding(kU8),
    padding(kU16),
    field("tcm_ifindex", kInterfaceIndex),
    field("tcm_handle", kUInt),
    field("tcm_parent", kUInt),
    field("tcm_info", kUInt),
};
constexpr FieldType kTcActionFields[] = {field("tca_family", kFamilyByte), padding_bytes(3)};
constexpr FieldType kNeighbourTableFields[] = {field("ndtm_family", kFamilyByte), padding_bytes(3)};
constexpr FieldType kAddressLabelFields[] = {
    field("ifal_family", kFamilyByte), padding(kU8), field("ifal_prefixlen", kU8), field("ifal_flags", kU8),
    field("ifal_index", kInterfaceIndex), field("ifal_seq", kUInt),
};
constexpr FieldType kNetConfFields[] = {field("ncm_family", kFamilyByte)};
constexpr FieldType kMdbFields[] = {field("family", kFamilyByte), padding_bytes(3), field("ifindex", kInterfaceIndex)};
constexpr FieldType kDcbFields[] = {field("dcb_family", kFamilyByte), field("cmd", named(kDcbCommands, Width::B1)),
                                    padding(kU16)};
constexpr FieldType kLinkStatsFields[] = {
    field("family", kFamilyByte),
    field("pad1", kHex8, [](Decoder& decoder, Addr at) { return has_padding(decoder, at, 1, 1); }),
    field("pad2", kHex16, [](Decoder& decoder, Addr at) { return has_padding(decoder, at, 2, 2); }),
    field("ifindex", kInterfaceIndex),
    field("filter_mask", named(kLinkStatsBits)),
};
constexpr FieldType kGenericFields[] = {field("rtgen_family", kFamilyByte)};
constexpr FieldType kNexthopFields[] = {
    field("nh_family", kFamilyByte), field("nh_scope", named(kRouteScopes, Width::B1)),
    field("nh_protocol", named(kRouteProtocols, Width::B1)),
    field("resvd", kHex8, [](Decoder& decoder, Addr at) { return has_padding(decoder, at, 3, 1); }),
    field("nh_flags", named(kNexthopFlags)),
};

constexpr StructLayout kRouteLink = {"ifinfomsg", kRouteLinkFields};
constexpr StructLayout kAddressHeader = {"ifaddrmsg", kAddressFields};
constexpr StructLayout kRoute = {"rtmsg", kRouteFields};
constexpr StructLayout kNeighbour = {"ndmsg", kNeighbourFields};
constexpr StructLayout kRule = {"fib_rule_hdr", kRuleFields};
constexpr StructLayout kTc = {"tcmsg", kTcFields};
constexpr StructLayout kTcAction = {"tcamsg", kTcActionFields};
constexpr StructLayout kNeighbourTable = {"ndtmsg", kNeighbourTableFields};
constexpr StructLayout kAddressLabel = {"ifaddrlblmsg", kAddressLabelFields};
constexpr StructLayout kNetConf = {"netconfmsg", kNetConfFields};
constexpr StructLayout kMdb = {"br_port_msg", kMdbFields};
constexpr StructLayout kDcb = {"dcbmsg", kDcbFields};
constexpr StructLayout kLinkStats = {"if_stats_msg", kLinkStatsFields};
constexpr FieldType kCacheReportFields[] = {field("rtgen_family", named(kRouteListeners, Width::B1))};
constexpr StructLayout kCacheReport = {"rtgenmsg", kCacheReportFields};
constexpr StructLayout kGeneric = {"rtgenmsg", kGenericFields};
constexpr StructLayout kNexthop = {"nhmsg", kNexthopFields};
static_assert(size_of(kRouteLink, Abi::X86_64) == sizeof(ifinfomsg) &&
              size_of(kAddressHeader, Abi::X86_64) == sizeof(ifaddrmsg));
static_assert(size_of(kRoute, Abi::X86_64) == sizeof(rtmsg) && size_of(kNeighbour, Abi::X86_64) == sizeof(ndmsg));
static_assert(size_of(kRule, Abi::X86_64) == sizeof(fib_rule_hdr) && size_of(kTc, Abi::X86_64) == sizeof(tcmsg));
static_assert(size_of(kAddressLabel, Abi::X86_64) == sizeof(ifaddrlblmsg) &&
              size_of(kGeneric, Abi::X86_64) == sizeof(rtgenmsg));

/// Message types come in fours; all of one four have the same form.
struct MessageForm {
  uint16_t first;
  FamilyForm form;
};
constexpr MessageForm kForms[] = {
    {16, {&kRouteLink, &kLinkAttributes}},           {20, {&kAddressHeader, &kAddressAttributes}},
    {24, {&kRoute, &kRouteAttributes}},         {28, {&kNeighbour, &kNeighbourAttributes}},
    {32, {&kRule, &kRuleAttributes}},           {36, {&kTc, &kTcAttributes}},
    {40, {&kTc, &kTcAttributes}},               {44, {&kTc, &kTcAttributes}},
    {76, {&kDcb, &kDcbAttributes}},             {92, {&kLinkStats, &kLinkStatsAttributes}},
    {48, {&kTcAction, &kTcRootAttributes}},     {56, {&kAddressHeader, &kAddressAttributes}},
    {60, {&kAddressHeader, &kAddressAttributes}}, {64, {&kNeighbourTable, &kNeighbourTableAttributes}},
    {72, {&kAddressLabel, &kAddressLabelAttributes}}, {80, {&kNetConf, &kNetConfAttributes}},
    {84, {&kMdb, &kMdbAttributes}},             {88, {&kGeneric, &kNetNsAttributes}},
    {96, {&kCacheReport}},                          {100, {&kTc, &kTcAttributes}},
    {104, {&kNexthop, &kNexthopAttributes}},
};
constexpr FamilyForm kIpv4CacheReport = {&kCacheReport, &kIpv4CacheReportAttributes};
constexpr FamilyForm kIpv6CacheReport = {&kCacheReport, &kIpv6CacheReportAttributes};
constexpr uint16_t kGetNeighbour = 30, kNewCacheReport = 96;

const FamilyForm* route_form(uint16_t type, uint8_t family) {
  if (!netlink_message_names(kNetlinkRoute, type).name_of(type)) return nullptr;
  if (type == kGetNeighbour && family == kBridgeFamily) return &kForms[0].form;
  if (type == kNewCacheReport && family == kIpv4MulticastFamily) return &kIpv4CacheReport;
  if (type == kNewCacheReport && family == kIpv6MulticastFamily) return &kIpv6CacheReport;
  for (const MessageForm& row : kForms)
    if (row.first == (type & ~3)) return &row.form;
  return nullptr;
}

}  // namespace

void add_route_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                       size_t& held) {
  const FamilyForm* form = payload.holds(1) ? route_form(type, payload.get<uint8_t>()) : nullptr;
  add_family_payload(decoder, form, payload, items, held);
}

}  // namespace strut
