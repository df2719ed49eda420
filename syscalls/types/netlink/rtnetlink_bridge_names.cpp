#include "syscalls/types/netlink/rtnetlink_bridge_names.hpp"

namespace strut {
namespace {

constexpr Constant kBridgeAttributeNamesList[] = {
    {0, "IFLA_BR_UNSPEC"}, {1, "IFLA_BR_FORWARD_DELAY"}, {2, "IFLA_BR_HELLO_TIME"}, {3, "IFLA_BR_MAX_AGE"},
    {4, "IFLA_BR_AGEING_TIME"}, {5, "IFLA_BR_STP_STATE"}, {6, "IFLA_BR_PRIORITY"}, {7, "IFLA_BR_VLAN_FILTERING"},
    {8, "IFLA_BR_VLAN_PROTOCOL"}, {9, "IFLA_BR_GROUP_FWD_MASK"}, {10, "IFLA_BR_ROOT_ID"}, {11, "IFLA_BR_BRIDGE_ID"},
    {12, "IFLA_BR_ROOT_PORT"}, {13, "IFLA_BR_ROOT_PATH_COST"}, {14, "IFLA_BR_TOPOLOGY_CHANGE"},
    {15, "IFLA_BR_TOPOLOGY_CHANGE_DETECTED"}, {16, "IFLA_BR_HELLO_TIMER"}, {17, "IFLA_BR_TCN_TIMER"},
    {18, "IFLA_BR_TOPOLOGY_CHANGE_TIMER"}, {19, "IFLA_BR_GC_TIMER"}, {20, "IFLA_BR_GROUP_ADDR"},
    {21, "IFLA_BR_FDB_FLUSH"}, {22, "IFLA_BR_MCAST_ROUTER"}, {23, "IFLA_BR_MCAST_SNOOPING"},
    {24, "IFLA_BR_MCAST_QUERY_USE_IFADDR"}, {25, "IFLA_BR_MCAST_QUERIER"}, {26, "IFLA_BR_MCAST_HASH_ELASTICITY"},
    {27, "IFLA_BR_MCAST_HASH_MAX"}, {28, "IFLA_BR_MCAST_LAST_MEMBER_CNT"}, {29, "IFLA_BR_MCAST_STARTUP_QUERY_CNT"},
    {30, "IFLA_BR_MCAST_LAST_MEMBER_INTVL"}, {31, "IFLA_BR_MCAST_MEMBERSHIP_INTVL"},
    {32, "IFLA_BR_MCAST_QUERIER_INTVL"}, {33, "IFLA_BR_MCAST_QUERY_INTVL"}, {34, "IFLA_BR_MCAST_QUERY_RESPONSE_INTVL"},
    {35, "IFLA_BR_MCAST_STARTUP_QUERY_INTVL"}, {36, "IFLA_BR_NF_CALL_IPTABLES"}, {37, "IFLA_BR_NF_CALL_IP6TABLES"},
    {38, "IFLA_BR_NF_CALL_ARPTABLES"}, {39, "IFLA_BR_VLAN_DEFAULT_PVID"}, {40, "IFLA_BR_PAD"},
    {41, "IFLA_BR_VLAN_STATS_ENABLED"}, {42, "IFLA_BR_MCAST_STATS_ENABLED"}, {43, "IFLA_BR_MCAST_IGMP_VERSION"},
    {44, "IFLA_BR_MCAST_MLD_VERSION"}, {45, "IFLA_BR_VLAN_STATS_PER_PORT"}, {46, "IFLA_BR_MULTI_BOOLOPT"},
    {47, "IFLA_BR_MCAST_QUERIER_STATE"}, {48, "IFLA_BR_FDB_N_LEARNED"}, {49, "IFLA_BR_FDB_MAX_LEARNED"},
    {50, "IFLA_BR_STP_MODE"},
};
constexpr Constant kBridgePortAttributeNamesList[] = {
    {0, "IFLA_BRPORT_UNSPEC"}, {1, "IFLA_BRPORT_STATE"}, {2, "IFLA_BRPORT_PRIORITY"}, {3, "IFLA_BRPORT_COST"},
    {4, "IFLA_BRPORT_MODE"}, {5, "IFLA_BRPORT_GUARD"}, {6, "IFLA_BRPORT_PROTECT"}, {7, "IFLA_BRPORT_FAST_LEAVE"},
    {8, "IFLA_BRPORT_LEARNING"}, {9, "IFLA_BRPORT_UNICAST_FLOOD"}, {10, "IFLA_BRPORT_PROXYARP"},
    {11, "IFLA_BRPORT_LEARNING_SYNC"}, {12, "IFLA_BRPORT_PROXYARP_WIFI"}, {13, "IFLA_BRPORT_ROOT_ID"},
    {14, "IFLA_BRPORT_BRIDGE_ID"}, {15, "IFLA_BRPORT_DESIGNATED_PORT"}, {16, "IFLA_BRPORT_DESIGNATED_COST"},
    {17, "IFLA_BRPORT_ID"}, {18, "IFLA_BRPORT_NO"}, {19, "IFLA_BRPORT_TOPOLOGY_CHANGE_ACK"},
    {20, "IFLA_BRPORT_CONFIG_PENDING"}, {21, "IFLA_BRPORT_MESSAGE_AGE_TIMER"}, {22, "IFLA_BRPORT_FORWARD_DELAY_TIMER"},
    {23, "IFLA_BRPORT_HOLD_TIMER"}, {24, "IFLA_BRPORT_FLUSH"}, {25, "IFLA_BRPORT_MULTICAST_ROUTER"},
    {26, "IFLA_BRPORT_PAD"}, {27, "IFLA_BRPORT_MCAST_FLOOD"}, {28, "IFLA_BRPORT_MCAST_TO_UCAST"},
    {29, "IFLA_BRPORT_VLAN_TUNNEL"}, {30, "IFLA_BRPORT_BCAST_FLOOD"}, {31, "IFLA_BRPORT_GROUP_FWD_MASK"},
    {32, "IFLA_BRPORT_NEIGH_SUPPRESS"}, {33, "IFLA_BRPORT_ISOLATED"}, {34, "IFLA_BRPORT_BACKUP_PORT"},
    {35, "IFLA_BRPORT_MRP_RING_OPEN"}, {36, "IFLA_BRPORT_MRP_IN_OPEN"}, {37, "IFLA_BRPORT_MCAST_EHT_HOSTS_LIMIT"},
    {38, "IFLA_BRPORT_MCAST_EHT_HOSTS_CNT"}, {39, "IFLA_BRPORT_LOCKED"}, {40, "IFLA_BRPORT_MAB"},
    {41, "IFLA_BRPORT_MCAST_N_GROUPS"}, {42, "IFLA_BRPORT_MCAST_MAX_GROUPS"}, {43, "IFLA_BRPORT_NEIGH_VLAN_SUPPRESS"},
    {44, "IFLA_BRPORT_BACKUP_NHID"}, {45, "IFLA_BRPORT_NEIGH_FORWARD_GRAT"},
};
constexpr Constant kBridgeSpecAttributeNamesList[] = {
    {0, "IFLA_BRIDGE_FLAGS"}, {1, "IFLA_BRIDGE_MODE"}, {2, "IFLA_BRIDGE_VLAN_INFO"},
    {3, "IFLA_BRIDGE_VLAN_TUNNEL_INFO"}, {4, "IFLA_BRIDGE_MRP"}, {5, "IFLA_BRIDGE_CFM"}, {6, "IFLA_BRIDGE_MST"},
};
constexpr Constant kBridgeTunnelAttributeNamesList[] = {
    {0, "IFLA_BRIDGE_VLAN_TUNNEL_UNSPEC"}, {1, "IFLA_BRIDGE_VLAN_TUNNEL_ID"}, {2, "IFLA_BRIDGE_VLAN_TUNNEL_VID"},
    {3, "IFLA_BRIDGE_VLAN_TUNNEL_FLAGS"},
};
constexpr Constant kBridgeFlagsList[] = {
    {0x1, "BRIDGE_FLAGS_MASTER"}, {0x2, "BRIDGE_FLAGS_SELF"},
};
constexpr Constant kBridgeModesList[] = {
    {0, "BRIDGE_MODE_VEB"}, {1, "BRIDGE_MODE_VEPA"}, {0xffff, "BRIDGE_MODE_UNDEF"},
};
constexpr Constant kBridgeVlanFlagsList[] = {
    {0x1, "BRIDGE_VLAN_INFO_MASTER"}, {0x2, "BRIDGE_VLAN_INFO_PVID"}, {0x4, "BRIDGE_VLAN_INFO_UNTAGGED"},
    {0x8, "BRIDGE_VLAN_INFO_RANGE_BEGIN"}, {0x10, "BRIDGE_VLAN_INFO_RANGE_END"}, {0x20, "BRIDGE_VLAN_INFO_BRENTRY"},
    {0x40, "BRIDGE_VLAN_INFO_ONLY_OPTS"},
};
constexpr Constant kBridgeOptionsList[] = {
    {0x1, "1<<BR_BOOLOPT_NO_LL_LEARN"}, {0x2, "1<<BR_BOOLOPT_MCAST_VLAN_SNOOPING"}, {0x4, "1<<BR_BOOLOPT_MST_ENABLE"},
    {0x8, "1<<BR_BOOLOPT_MDB_OFFLOAD_FAIL_NOTIFICATION"}, {0x10, "1<<BR_BOOLOPT_FDB_LOCAL_VLAN_0"},
};
constexpr Constant kSpanningTreeModesList[] = {
    {0, "BR_STP_MODE_AUTO"}, {1, "BR_STP_MODE_USER"}, {2, "BR_STP_MODE_KERNEL"},
};
constexpr Constant kBridgeQuerierNamesList[] = {
    {0, "BRIDGE_QUERIER_UNSPEC"}, {1, "BRIDGE_QUERIER_IP_ADDRESS"}, {2, "BRIDGE_QUERIER_IP_PORT"},
    {3, "BRIDGE_QUERIER_IP_OTHER_TIMER"}, {4, "BRIDGE_QUERIER_PAD"}, {5, "BRIDGE_QUERIER_IPV6_ADDRESS"},
    {6, "BRIDGE_QUERIER_IPV6_PORT"}, {7, "BRIDGE_QUERIER_IPV6_OTHER_TIMER"},
};
constexpr Constant kMdbNamesList[] = {
    {0, "MDBA_MDB_UNSPEC"}, {1, "MDBA_MDB_ENTRY"},
};
constexpr Constant kMdbEntryNamesList[] = {
    {0, "MDBA_MDB_ENTRY_UNSPEC"}, {1, "MDBA_MDB_ENTRY_INFO"},
};
constexpr Constant kMdbEntryAttributeNamesList[] = {
    {0, "MDBA_MDB_EATTR_UNSPEC"}, {1, "MDBA_MDB_EATTR_TIMER"}, {2, "MDBA_MDB_EATTR_SRC_LIST"},
    {3, "MDBA_MDB_EATTR_GROUP_MODE"}, {4, "MDBA_MDB_EATTR_SOURCE"}, {5, "MDBA_MDB_EATTR_RTPROT"},
    {6, "MDBA_MDB_EATTR_DST"}, {7, "MDBA_MDB_EATTR_DST_PORT"}, {8, "MDBA_MDB_EATTR_VNI"},
    {9, "MDBA_MDB_EATTR_IFINDEX"}, {10, "MDBA_MDB_EATTR_SRC_VNI"},
};
constexpr Constant kMdbStatesList[] = {
    {0, "MDB_TEMPORARY"}, {1, "MDB_PERMANENT"},
};
constexpr Constant kMdbFlagsList[] = {
    {0x1, "MDB_FLAGS_OFFLOAD"}, {0x2, "MDB_FLAGS_FAST_LEAVE"}, {0x4, "MDB_FLAGS_STAR_EXCL"},
    {0x8, "MDB_FLAGS_BLOCKED"}, {0x10, "MDB_FLAGS_OFFLOAD_FAILED"},
};
constexpr Constant kMdbRouterNamesList[] = {
    {0, "MDBA_ROUTER_UNSPEC"}, {1, "MDBA_ROUTER_PORT"},
};
constexpr Constant kMdbRouterPortNamesList[] = {
    {0, "MDBA_ROUTER_PATTR_UNSPEC"}, {1, "MDBA_ROUTER_PATTR_TIMER"}, {2, "MDBA_ROUTER_PATTR_TYPE"},
    {3, "MDBA_ROUTER_PATTR_INET_TIMER"}, {4, "MDBA_ROUTER_PATTR_INET6_TIMER"},
};
constexpr Constant kMdbRouterTypesList[] = {
    {0, "MDB_RTR_TYPE_DISABLED"}, {1, "MDB_RTR_TYPE_TEMP_QUERY"}, {2, "MDB_RTR_TYPE_PERM"}, {3, "MDB_RTR_TYPE_TEMP"},
};

}  // namespace

constinit const ConstantSet kBridgeAttributeNames = enumeration("IFLA_BR_???", kBridgeAttributeNamesList);
constinit const ConstantSet kBridgePortAttributeNames = enumeration("IFLA_BRPORT_???", kBridgePortAttributeNamesList);
constinit const ConstantSet kBridgeSpecAttributeNames = enumeration("IFLA_BRIDGE_???", kBridgeSpecAttributeNamesList);
constinit const ConstantSet kBridgeTunnelAttributeNames =
    enumeration("IFLA_BRIDGE_VLAN_TUNNEL_???", kBridgeTunnelAttributeNamesList);
constinit const ConstantSet kBridgeFlags = flag_set("BRIDGE_FLAGS_???", kBridgeFlagsList);
constinit const ConstantSet kBridgeModes = enumeration("BRIDGE_MODE_???", kBridgeModesList);
constinit const ConstantSet kBridgeVlanFlags = flag_set("BRIDGE_VLAN_INFO_???", kBridgeVlanFlagsList);
constinit const ConstantSet kBridgeOptions = flag_set("1<<BR_BOOLOPT_???", kBridgeOptionsList);
constinit const ConstantSet kSpanningTreeModes = enumeration("BR_STP_MODE_???", kSpanningTreeModesList);
constinit const ConstantSet kBridgeQuerierNames = enumeration("BRIDGE_QUERIER_???", kBridgeQuerierNamesList);
constinit const ConstantSet kMdbNames = enumeration("MDBA_MDB_???", kMdbNamesList);
constinit const ConstantSet kMdbEntryNames = enumeration("MDBA_MDB_ENTRY_???", kMdbEntryNamesList);
constinit const ConstantSet kMdbEntryAttributeNames = enumeration("MDBA_MDB_EATTR_???", kMdbEntryAttributeNamesList);
constinit const ConstantSet kMdbStates = enumeration("MDB_???", kMdbStatesList);
constinit const ConstantSet kMdbFlags = flag_set("MDB_FLAGS_???", kMdbFlagsList);
constinit const ConstantSet kMdbRouterNames = enumeration("MDBA_ROUTER_???", kMdbRouterNamesList);
constinit const ConstantSet kMdbRouterPortNames = enumeration("MDBA_ROUTER_PATTR_???", kMdbRouterPortNamesList);
constinit const ConstantSet kMdbRouterTypes = enumeration("MDB_RTR_TYPE_???", kMdbRouterTypesList);

}  // namespace strut
