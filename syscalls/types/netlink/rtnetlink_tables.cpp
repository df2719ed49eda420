#include "syscalls/types/netlink/rtnetlink_tables.hpp"

#include <cstdio>

#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/pkt_sched.h>

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/netlink/rtnetlink_attributes.hpp"
#include "syscalls/types/netlink/rtnetlink_bridge_stats.hpp"
#include "syscalls/types/netlink/rtnetlink_link_names.hpp"
#include "syscalls/types/netlink/rtnetlink_names.hpp"
#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// -- actions and statistics of traffic control ------------------------------------------------------------------

/// Milliseconds with the seconds as a remark.
Value milliseconds(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  uint64_t bits = 0;
  if (data.size == 0 || data.size > sizeof bits || !data.holds(data.size)) return data.binary(decoder);
  std::memcpy(&bits, data.bytes.data(), data.size);
  if (bits == 0) return Decoder::number(0, Show::Unsigned);
  char text[48];
  std::snprintf(text, sizeof text, "%llu.%03llu s", static_cast<unsigned long long>(bits / 1000),
                static_cast<unsigned long long>(bits % 1000));
  return remarked(decoder.arena(), bits, joined(decoder.arena(), {text}), 8);
}
constexpr Attribute kActionList[] = {
    holds(1, attribute_text),
    holds(3, attribute_u32),
    nests(4, kTcStatsAttributes),
    names_short(7, kActionFlagWords, 4),
    names_short(8, kActionHardwareStats, 4),
    names_short(9, kActionHardwareStats, 4),
    holds(10, attribute_u32),
};
constinit const AttributeSet kAction = {&kActionAttributeNames, kActionList};
constexpr Attribute kEachAction = nests(0, kAction);
constinit const AttributeSet kActions = {nullptr, {}, &kEachAction};
constexpr Attribute kRootList[] = {
    nests(1, kActions), names_short(2, kActionFlags, 4), holds(3, attribute_u32), holds(4, milliseconds),
    holds(5, attribute_text),
};

constexpr FieldType kBasicFields[] = {field("bytes", kU64), field("packets", kUInt)};
constexpr FieldType kTableRateFields[] = {field("bps", kUInt), field("pps", kUInt)};
constexpr FieldType kRate64Fields[] = {field("bps", kU64), field("pps", kU64)};
constexpr FieldType kTableQueueFields[] = {
    field("qlen", kUInt), field("backlog", kUInt), field("drops", kUInt), field("requeues", kUInt),
    field("overlimits", kUInt),
};
constexpr StructLayout kBasic = {.name = "gnet_stats_basic", .fields = kBasicFields, .packed = true};
constexpr StructLayout kTableRate = {"gnet_stats_rate_est", kTableRateFields};
constexpr StructLayout kRate64 = {"gnet_stats_rate_est64", kRate64Fields};
constexpr StructLayout kQueue = {"gnet_stats_queue", kTableQueueFields};
constexpr Attribute kStatsList[] = {
    is(1, kBasic), is(2, kTableRate), is(3, kQueue), is(5, kRate64), is(7, kBasic), holds(8, attribute_u64),
};

constexpr FieldType kSizeFields[] = {
    field("cell_log", kU8), field("size_log", kU8), field("cell_align", kS16), field("overhead", kInt),
    field("linklayer", kUInt), field("mpu", kUInt), field("mtu", kUInt), field("tsize", kUInt),
};
constexpr StructLayout kSizes = {"tc_sizespec", kSizeFields};
static_assert(size_of(kSizes, Abi::X86_64) == sizeof(tc_sizespec));
constexpr Type kSizeEntry = kU16;
constexpr Attribute kStabList[] = {is(1, kSizes), holds(2, attribute_array<kSizeEntry>)};

// -- neighbours -------------------------------------------------------------------------------------------------

constexpr FieldType kConfigFields[] = {
    field("ndtc_key_len", kU16), field("ndtc_entry_size", kU16), field("ndtc_entries", kUInt),
    field("ndtc_last_flush", kUInt), field("ndtc_last_rand", kUInt), field("ndtc_hash_rnd", kUInt),
    field("ndtc_hash_mask", number(Width::B4, Show::HexPadded)), field("ndtc_hash_chain_gc", kUInt),
    field("ndtc_proxy_qlen", kUInt),
};
constexpr StructLayout kConfig = {"ndt_config", kConfigFields};
static_assert(size_of(kConfig, Abi::X86_64) == sizeof(ndt_config));
constexpr FieldType kTableStatsFields[] = {
    field("ndts_allocs", kU64), field("ndts_destroys", kU64), field("ndts_hash_grows", kU64),
    field("ndts_res_failed", kU64), field("ndts_lookups", kU64), field("ndts_hits", kU64),
    field("ndts_rcv_probes_mcast", kU64), field("ndts_rcv_probes_ucast", kU64), field("ndts_periodic_gc_runs", kU64),
    field("ndts_forced_gc_runs", kU64), field("ndts_table_fulls", kU64),
};
constexpr StructLayout kTableStats = {"ndt_stats", kTableStatsFields};
static_assert(size_of(kTableStats, Abi::X86_64) == sizeof(ndt_stats));
/// The last counter came later.
Value table_stats(Decoder& decoder, const NetlinkBytes& data, const AttributeContext&) {
  size_t bytes = size_of(kTableStats, decoder.abi()), old = bytes - sizeof(uint64_t);
  if (!data.holds(old)) return data.binary(decoder);
  Value value = decoder.structure(kTableStats, data.at, data.holds(bytes) ? bytes : old);
  if (auto* counters = std::get_if<Struct>(&value.is)) counters->cut = false;
  return value;
}
constexpr Attribute kParameterList[] = {
    holds(1, attribute_interface), holds(2, attribute_u32), holds(3, attribute_u64), holds(4, attribute_u64),
    holds(5, attribute_u64), holds(6, attribute_u64), holds(7, attribute_u64), holds(8, attribute_u32),
    holds(9, attribute_u32), holds(10, attribute_u32), holds(11, attribute_u32), holds(12, attribute_u64),
    holds(13, attribute_u64), holds(14, attribute_u32), holds(15, attribute_u64), holds(16, attribute_u32),
    holds(17, attribute_u32), holds(19, attribute_u64),
};
constinit const AttributeSet kParameters = {&kNeighbourParameterNames, kParameterList};
constexpr Attribute kTableList[] = {
    holds(1, attribute_text), holds(2, attribute_u32), holds(3, attribute_u32), holds(4, attribute_u32), is(5, kConfig),
    nests(6, kParameters), holds(7, table_stats), holds(8, attribute_u64),
};
constexpr Attribute kFdbList[] = {names_short(1, kNeighbourNotifyFlags, 1)};

// -- labels, settings, namespaces, next hops ----------------------------------------------------------------------

constexpr Attribute kLabelList[] = {holds(1, attribute_address), holds(2, attribute_u32)};
constexpr Attribute kNetConfList[] = {
    holds(1, attribute_interface), holds(2, attribute_s32), holds(3, attribute_s32), holds(4, attribute_s32),
    holds(5, attribute_s32), holds(6, attribute_s32), holds(7, attribute_s32), holds(8, attribute_s32),
    holds(9, attribute_s32),
};
constexpr Attribute kNetNsList[] = {
    holds(1, attribute_s32), holds(2, attribute_u32), holds(3, attribute_fd), holds(4, attribute_s32),
    holds(5, attribute_s32),
};

constexpr Type kReservedWord = number(Width::B2, Show::Hex);
constexpr FieldType kHopFields[] = {
    field("id", kUInt), field("weight", kU8), field("weight_high", kU8),
    field("resvd2", kReservedWord, not_zero<6, 2>),
};
constexpr StructLayout kHopLayout = {"nexthop_grp", kHopFields};
constexpr Type kHop = structure(kHopLayout);
constexpr Attribute kTableGroupList[] = {
    holds(1, attribute_u16), holds(2, attribute_ticks), holds(3, attribute_ticks), holds(4, attribute_ticks),
};
constinit const AttributeSet kTableGroup = {&kNexthopGroupNames, kTableGroupList};
constexpr Attribute kBucketList[] = {holds(1, attribute_u16), holds(2, attribute_ticks), holds(3, attribute_u32)};
constinit const AttributeSet kBucket = {&kNexthopBucketNames, kBucketList};
constexpr Attribute kNexthopList[] = {
    holds(1, attribute_u32), holds(2, attribute_array<kHop>), names_short(3, kNexthopGroupTypes, 2),
    holds(4, attribute_u32), holds(5, attribute_interface), holds(6, attribute_address), names(7, kEncapsulations, 2),
    holds(9, attribute_u32), holds(10, attribute_interface), holds(11, attribute_u32), nests(12, kTableGroup),
    nests(13, kBucket),
};

// -- statistics of links ------------------------------------------------------------------------------------------

constexpr Attribute kBond3adList[] = {
    holds(0, attribute_u64), holds(1, attribute_u64), holds(2, attribute_u64), holds(3, attribute_u64),
    holds(4, attribute_u64), holds(5, attribute_u64), holds(6, attribute_u64), holds(7, attribute_u64),
    holds(8, attribute_u64),
};
constinit const AttributeSet kBond3ad = {&kBond3adNames, kBond3adList};
constexpr Attribute kBondList[] = {nests(1, kBond3ad)};
constinit const AttributeSet kBond = {&kBondXstatsNames, kBondList};
constexpr Attribute kXstatsList[] = {nests(1, kBridgeStatsAttributes), nests(2, kBond)};
constinit const AttributeSet kXstats = {&kXstatsNames, kXstatsList};
constexpr Attribute kOffloadList[] = {holds(1, link_statistics)};
constinit const AttributeSet kOffload = {&kOffloadXstatsNames, kOffloadList};
constinit const AttributeSet kMpls = {&kMplsStatsNames, {}};
constexpr uint16_t kAfMpls = 28;
constexpr Attribute kTableFamilyList[] = {nests(kAfMpls, kMpls)};
constinit const AttributeSet kTableFamilies = {&kAddressFamilies, kTableFamilyList};
constexpr Attribute kLinkStatsList[] = {
    holds(1, link_statistics), nests(2, kXstats), nests(3, kXstats), nests(4, kOffload), nests(5, kTableFamilies),
};

}  // namespace

constinit const AttributeSet kTcRootAttributes = {&kTcRootAttributeNames, kRootList};
constinit const AttributeSet kNeighbourTableAttributes = {&kNeighbourTableAttributeNames, kTableList};
constinit const AttributeSet kAddressLabelAttributes = {&kAddressLabelAttributeNames, kLabelList};
constinit const AttributeSet kNetConfAttributes = {&kNetConfAttributeNames, kNetConfList};
constinit const AttributeSet kNetNsAttributes = {&kNetNsAttributeNames, kNetNsList};
constinit const AttributeSet kNexthopAttributes = {&kNexthopAttributeNames, kNexthopList};
constinit const AttributeSet kLinkStatsAttributes = {&kLinkStatsNames, kLinkStatsList};
constinit const AttributeSet kDcbAttributes = {&kDcbAttributeNames, {}};
constinit const AttributeSet kNeighbourFdbAttributes = {&kNeighbourFdbAttributeNames, kFdbList};
constinit const AttributeSet kTcStatsAttributes = {&kTcStatsAttributeNames, kStatsList};
constinit const AttributeSet kTcStabAttributes = {&kTcStabAttributeNames, kStabList};

}  // namespace strut
