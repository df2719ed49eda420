#include "syscalls/types/netlink/rtnetlink_link_names.hpp"

#include "syscalls/types/common/merged.hpp"
#include "syscalls/types/socket/address_family_names.hpp"

namespace strut {
namespace {

constexpr Constant kVfStatsNamesList[] = {
    {0, "IFLA_VF_STATS_RX_PACKETS"}, {1, "IFLA_VF_STATS_TX_PACKETS"}, {2, "IFLA_VF_STATS_RX_BYTES"},
    {3, "IFLA_VF_STATS_TX_BYTES"}, {4, "IFLA_VF_STATS_BROADCAST"}, {5, "IFLA_VF_STATS_MULTICAST"},
    {6, "IFLA_VF_STATS_PAD"}, {7, "IFLA_VF_STATS_RX_DROPPED"}, {8, "IFLA_VF_STATS_TX_DROPPED"},
};
constexpr Constant kVfVlanNamesList[] = {
    {0, "IFLA_VF_VLAN_INFO_UNSPEC"}, {1, "IFLA_VF_VLAN_INFO"},
};
constexpr Constant kVfLinkStatesList[] = {
    {0, "IFLA_VF_LINK_STATE_AUTO"}, {1, "IFLA_VF_LINK_STATE_ENABLE"}, {2, "IFLA_VF_LINK_STATE_DISABLE"},
};
constexpr Constant kTunAttributeNamesList[] = {
    {0, "IFLA_TUN_UNSPEC"}, {1, "IFLA_TUN_OWNER"}, {2, "IFLA_TUN_GROUP"}, {3, "IFLA_TUN_TYPE"}, {4, "IFLA_TUN_PI"},
    {5, "IFLA_TUN_VNET_HDR"}, {6, "IFLA_TUN_PERSIST"}, {7, "IFLA_TUN_MULTI_QUEUE"}, {8, "IFLA_TUN_NUM_QUEUES"},
    {9, "IFLA_TUN_NUM_DISABLED_QUEUES"},
};
constexpr Constant kTunTypesList[] = {
    {1, "IFF_TUN"}, {2, "IFF_TAP"},
};
constexpr Constant kMctpAttributeNamesList[] = {
    {0, "IFLA_MCTP_UNSPEC"}, {1, "IFLA_MCTP_NET"}, {2, "IFLA_MCTP_PHYS_BINDING"},
};
constexpr Constant kActionFlagsList[] = {
    {0x1, "TCA_ACT_FLAG_LARGE_DUMP_ON"}, {0x2, "TCA_ACT_FLAG_TERSE_DUMP"},
};
constexpr Constant kNeighbourNotifyFlagsList[] = {
    {0x1, "FDB_NOTIFY_BIT"}, {0x2, "FDB_NOTIFY_INACTIVE_BIT"},
};
constexpr Constant kNeighbourParameterNamesList[] = {
    {0, "NDTPA_UNSPEC"}, {1, "NDTPA_IFINDEX"}, {2, "NDTPA_REFCNT"}, {3, "NDTPA_REACHABLE_TIME"},
    {4, "NDTPA_BASE_REACHABLE_TIME"}, {5, "NDTPA_RETRANS_TIME"}, {6, "NDTPA_GC_STALETIME"},
    {7, "NDTPA_DELAY_PROBE_TIME"}, {8, "NDTPA_QUEUE_LEN"}, {9, "NDTPA_APP_PROBES"}, {10, "NDTPA_UCAST_PROBES"},
    {11, "NDTPA_MCAST_PROBES"}, {12, "NDTPA_ANYCAST_DELAY"}, {13, "NDTPA_PROXY_DELAY"}, {14, "NDTPA_PROXY_QLEN"},
    {15, "NDTPA_LOCKTIME"}, {16, "NDTPA_QUEUE_LENBYTES"}, {17, "NDTPA_MCAST_REPROBES"}, {18, "NDTPA_PAD"},
    {19, "NDTPA_INTERVAL_PROBE_TIME_MS"},
};
constexpr Constant kNexthopGroupTypesList[] = {
    {0, "NEXTHOP_GRP_TYPE_MPATH"}, {1, "NEXTHOP_GRP_TYPE_RES"},
};
constexpr Constant kNexthopGroupNamesList[] = {
    {0, "NHA_RES_GROUP_PAD"}, {1, "NHA_RES_GROUP_BUCKETS"}, {2, "NHA_RES_GROUP_IDLE_TIMER"},
    {3, "NHA_RES_GROUP_UNBALANCED_TIMER"}, {4, "NHA_RES_GROUP_UNBALANCED_TIME"},
};
constexpr Constant kNexthopBucketNamesList[] = {
    {0, "NHA_RES_BUCKET_PAD"}, {1, "NHA_RES_BUCKET_INDEX"}, {2, "NHA_RES_BUCKET_IDLE_TIME"},
    {3, "NHA_RES_BUCKET_NH_ID"},
};
constexpr Constant kLinkStatsNamesList[] = {
    {0, "IFLA_STATS_UNSPEC"}, {1, "IFLA_STATS_LINK_64"}, {2, "IFLA_STATS_LINK_XSTATS"},
    {3, "IFLA_STATS_LINK_XSTATS_SLAVE"}, {4, "IFLA_STATS_LINK_OFFLOAD_XSTATS"}, {5, "IFLA_STATS_AF_SPEC"},
};
constexpr Constant kLinkStatsBitsList[] = {
    {0x1, "1<<IFLA_STATS_UNSPEC"}, {0x2, "1<<IFLA_STATS_LINK_64"}, {0x4, "1<<IFLA_STATS_LINK_XSTATS"},
    {0x8, "1<<IFLA_STATS_LINK_XSTATS_SLAVE"}, {0x10, "1<<IFLA_STATS_LINK_OFFLOAD_XSTATS"},
    {0x20, "1<<IFLA_STATS_AF_SPEC"},
};
constexpr Constant kXstatsNamesList[] = {
    {0, "LINK_XSTATS_TYPE_UNSPEC"}, {1, "LINK_XSTATS_TYPE_BRIDGE"}, {2, "LINK_XSTATS_TYPE_BOND"},
};
constexpr Constant kBridgeXstatsNamesList[] = {
    {0, "BRIDGE_XSTATS_UNSPEC"}, {1, "BRIDGE_XSTATS_VLAN"}, {2, "BRIDGE_XSTATS_MCAST"}, {3, "BRIDGE_XSTATS_PAD"},
    {4, "BRIDGE_XSTATS_STP"},
};
constexpr Constant kBondXstatsNamesList[] = {
    {0, "BOND_XSTATS_UNSPEC"}, {1, "BOND_XSTATS_3AD"},
};
constexpr Constant kBond3adNamesList[] = {
    {0, "BOND_3AD_STAT_LACPDU_RX"}, {1, "BOND_3AD_STAT_LACPDU_TX"}, {2, "BOND_3AD_STAT_LACPDU_UNKNOWN_RX"},
    {3, "BOND_3AD_STAT_LACPDU_ILLEGAL_RX"}, {4, "BOND_3AD_STAT_MARKER_RX"}, {5, "BOND_3AD_STAT_MARKER_TX"},
    {6, "BOND_3AD_STAT_MARKER_RESP_RX"}, {7, "BOND_3AD_STAT_MARKER_RESP_TX"}, {8, "BOND_3AD_STAT_MARKER_UNKNOWN_RX"},
    {9, "BOND_3AD_STAT_PAD"},
};
constexpr Constant kOffloadXstatsNamesList[] = {
    {0, "IFLA_OFFLOAD_XSTATS_UNSPEC"}, {1, "IFLA_OFFLOAD_XSTATS_CPU_HIT"},
};
constexpr Constant kMplsStatsNamesList[] = {
    {0, "MPLS_STATS_UNSPEC"}, {1, "MPLS_STATS_LINK"},
};
constexpr Constant kDcbCommandsList[] = {
    {0, "DCB_CMD_UNDEFINED"}, {1, "DCB_CMD_GSTATE"}, {2, "DCB_CMD_SSTATE"}, {3, "DCB_CMD_PGTX_GCFG"},
    {4, "DCB_CMD_PGTX_SCFG"}, {5, "DCB_CMD_PGRX_GCFG"}, {6, "DCB_CMD_PGRX_SCFG"}, {7, "DCB_CMD_PFC_GCFG"},
    {8, "DCB_CMD_PFC_SCFG"}, {9, "DCB_CMD_SET_ALL"}, {10, "DCB_CMD_GPERM_HWADDR"}, {11, "DCB_CMD_GCAP"},
    {12, "DCB_CMD_GNUMTCS"}, {13, "DCB_CMD_SNUMTCS"}, {14, "DCB_CMD_PFC_GSTATE"}, {15, "DCB_CMD_PFC_SSTATE"},
    {16, "DCB_CMD_BCN_GCFG"}, {17, "DCB_CMD_BCN_SCFG"}, {18, "DCB_CMD_GAPP"}, {19, "DCB_CMD_SAPP"},
    {20, "DCB_CMD_IEEE_SET"}, {21, "DCB_CMD_IEEE_GET"}, {22, "DCB_CMD_GDCBX"}, {23, "DCB_CMD_SDCBX"},
    {24, "DCB_CMD_GFEATCFG"}, {25, "DCB_CMD_SFEATCFG"}, {26, "DCB_CMD_CEE_GET"}, {27, "DCB_CMD_IEEE_DEL"},
};
constexpr Constant kActionAttributeNamesList[] = {
    {0, "TCA_ACT_UNSPEC"}, {1, "TCA_ACT_KIND"}, {2, "TCA_ACT_OPTIONS"}, {3, "TCA_ACT_INDEX"}, {4, "TCA_ACT_STATS"},
    {5, "TCA_ACT_PAD"}, {6, "TCA_ACT_COOKIE"}, {7, "TCA_ACT_FLAGS"}, {8, "TCA_ACT_HW_STATS"},
    {9, "TCA_ACT_USED_HW_STATS"}, {10, "TCA_ACT_IN_HW_COUNT"},
};
constexpr Constant kActionFlagWordsList[] = {
    {0x1, "TCA_ACT_FLAGS_NO_PERCPU_STATS"}, {0x2, "TCA_ACT_FLAGS_SKIP_HW"}, {0x4, "TCA_ACT_FLAGS_SKIP_SW"},
};
constexpr Constant kActionHardwareStatsList[] = {
    {0x1, "TCA_ACT_HW_STATS_IMMEDIATE"}, {0x2, "TCA_ACT_HW_STATS_DELAYED"},
};
constexpr Constant kMulticastDirectionsList[] = {
    {0, "BR_MCAST_DIR_RX"}, {1, "BR_MCAST_DIR_TX"},
};
constexpr Constant kMulticastRoutingFamilies[] = {{128, "RTNL_FAMILY_IPMR"}, {129, "RTNL_FAMILY_IP6MR"}};
constexpr auto kRouteListenersList = merged(kAddressFamilyNames, kMulticastRoutingFamilies);

}  // namespace

constinit const ConstantSet kVfStatsNames = enumeration("IFLA_VF_STATS_???", kVfStatsNamesList);
constinit const ConstantSet kVfVlanNames = enumeration("IFLA_VF_VLAN_INFO_???", kVfVlanNamesList);
constinit const ConstantSet kVfLinkStates = enumeration("IFLA_VF_LINK_STATE_???", kVfLinkStatesList);
constinit const ConstantSet kTunAttributeNames = enumeration("IFLA_TUN_???", kTunAttributeNamesList);
constinit const ConstantSet kTunTypes = enumeration("IFF_???", kTunTypesList);
constinit const ConstantSet kMctpAttributeNames = enumeration("IFLA_MCTP_???", kMctpAttributeNamesList);
constinit const ConstantSet kActionFlags = flag_set("TCA_ACT_FLAG_???", kActionFlagsList);
constinit const ConstantSet kNeighbourNotifyFlags = flag_set("FDB_NOTIFY_???", kNeighbourNotifyFlagsList);
constinit const ConstantSet kNeighbourParameterNames = enumeration("NDTPA_???", kNeighbourParameterNamesList);
constinit const ConstantSet kNexthopGroupTypes = enumeration("NEXTHOP_GRP_TYPE_???", kNexthopGroupTypesList);
constinit const ConstantSet kNexthopGroupNames = enumeration("NHA_RES_GROUP_???", kNexthopGroupNamesList);
constinit const ConstantSet kNexthopBucketNames = enumeration("NHA_RES_BUCKET_???", kNexthopBucketNamesList);
constinit const ConstantSet kLinkStatsNames = enumeration("IFLA_STATS_???", kLinkStatsNamesList);
constinit const ConstantSet kLinkStatsBits = flag_set("1<<IFLA_STATS_???", kLinkStatsBitsList);
constinit const ConstantSet kXstatsNames = enumeration("LINK_XSTATS_TYPE_???", kXstatsNamesList);
constinit const ConstantSet kBridgeXstatsNames = enumeration("BRIDGE_XSTATS_???", kBridgeXstatsNamesList);
constinit const ConstantSet kBondXstatsNames = enumeration("BOND_XSTATS_???", kBondXstatsNamesList);
constinit const ConstantSet kBond3adNames = enumeration("BOND_3AD_STAT_???", kBond3adNamesList);
constinit const ConstantSet kOffloadXstatsNames = enumeration("IFLA_OFFLOAD_XSTATS_???", kOffloadXstatsNamesList);
constinit const ConstantSet kMplsStatsNames = enumeration("MPLS_STATS_???", kMplsStatsNamesList);
constinit const ConstantSet kDcbCommands = enumeration("DCB_CMD_???", kDcbCommandsList);
constinit const ConstantSet kActionAttributeNames = enumeration("TCA_ACT_???", kActionAttributeNamesList);
constinit const ConstantSet kActionFlagWords = flag_set("TCA_ACT_FLAGS_???", kActionFlagWordsList);
constinit const ConstantSet kActionHardwareStats = flag_set("TCA_ACT_HW_STATS_???", kActionHardwareStatsList);
constinit const ConstantSet kMulticastDirections =
    enumeration("BR_MCAST_DIR_???", kMulticastDirectionsList, NumberBase::Decimal);
constinit const ConstantSet kRouteListeners = enumeration("RTNL_FAMILY_???", kRouteListenersList);

}  // namespace strut
