#include "syscalls/types/netlink/rtnetlink_names.hpp"

namespace strut {
namespace {

// <linux/rtnetlink.h>, <linux/if_link.h>, <linux/if_addr.h>, <linux/neighbour.h>, <linux/fib_rules.h> and their like
constexpr Constant kLinkAttributeList[] = {
    {0, "IFLA_UNSPEC"}, {1, "IFLA_ADDRESS"}, {2, "IFLA_BROADCAST"}, {3, "IFLA_IFNAME"}, {4, "IFLA_MTU"},
    {5, "IFLA_LINK"}, {6, "IFLA_QDISC"}, {7, "IFLA_STATS"}, {8, "IFLA_COST"}, {9, "IFLA_PRIORITY"},
    {10, "IFLA_MASTER"}, {11, "IFLA_WIRELESS"}, {12, "IFLA_PROTINFO"}, {13, "IFLA_TXQLEN"}, {14, "IFLA_MAP"},
    {15, "IFLA_WEIGHT"}, {16, "IFLA_OPERSTATE"}, {17, "IFLA_LINKMODE"}, {18, "IFLA_LINKINFO"},
    {19, "IFLA_NET_NS_PID"}, {20, "IFLA_IFALIAS"}, {21, "IFLA_NUM_VF"}, {22, "IFLA_VFINFO_LIST"},
    {23, "IFLA_STATS64"}, {24, "IFLA_VF_PORTS"}, {25, "IFLA_PORT_SELF"}, {26, "IFLA_AF_SPEC"}, {27, "IFLA_GROUP"},
    {28, "IFLA_NET_NS_FD"}, {29, "IFLA_EXT_MASK"}, {30, "IFLA_PROMISCUITY"}, {31, "IFLA_NUM_TX_QUEUES"},
    {32, "IFLA_NUM_RX_QUEUES"}, {33, "IFLA_CARRIER"}, {34, "IFLA_PHYS_PORT_ID"}, {35, "IFLA_CARRIER_CHANGES"},
    {36, "IFLA_PHYS_SWITCH_ID"}, {37, "IFLA_LINK_NETNSID"}, {38, "IFLA_PHYS_PORT_NAME"}, {39, "IFLA_PROTO_DOWN"},
    {40, "IFLA_GSO_MAX_SEGS"}, {41, "IFLA_GSO_MAX_SIZE"}, {42, "IFLA_PAD"}, {43, "IFLA_XDP"}, {44, "IFLA_EVENT"},
    {45, "IFLA_NEW_NETNSID"}, {46, "IFLA_IF_NETNSID"}, {47, "IFLA_CARRIER_UP_COUNT"}, {48, "IFLA_CARRIER_DOWN_COUNT"},
    {49, "IFLA_NEW_IFINDEX"}, {50, "IFLA_MIN_MTU"}, {51, "IFLA_MAX_MTU"}, {52, "IFLA_PROP_LIST"},
    {53, "IFLA_ALT_IFNAME"}, {54, "IFLA_PERM_ADDRESS"}, {55, "IFLA_PROTO_DOWN_REASON"}, {56, "IFLA_PARENT_DEV_NAME"},
    {57, "IFLA_PARENT_DEV_BUS_NAME"}, {58, "IFLA_GRO_MAX_SIZE"}, {59, "IFLA_TSO_MAX_SIZE"}, {60, "IFLA_TSO_MAX_SEGS"},
    {61, "IFLA_ALLMULTI"}, {62, "IFLA_DEVLINK_PORT"}, {63, "IFLA_GSO_IPV4_MAX_SIZE"}, {64, "IFLA_GRO_IPV4_MAX_SIZE"},
    {65, "IFLA_DPLL_PIN"}, {66, "IFLA_MAX_PACING_OFFLOAD_HORIZON"}, {67, "IFLA_NETNS_IMMUTABLE"},
    {68, "IFLA_HEADROOM"}, {69, "IFLA_TAILROOM"},
};
constexpr Constant kAddressAttributeList[] = {
    {0, "IFA_UNSPEC"}, {1, "IFA_ADDRESS"}, {2, "IFA_LOCAL"}, {3, "IFA_LABEL"}, {4, "IFA_BROADCAST"},
    {5, "IFA_ANYCAST"}, {6, "IFA_CACHEINFO"}, {7, "IFA_MULTICAST"}, {8, "IFA_FLAGS"}, {9, "IFA_RT_PRIORITY"},
    {10, "IFA_TARGET_NETNSID"}, {11, "IFA_PROTO"},
};
constexpr Constant kRouteAttributeList[] = {
    {0, "RTA_UNSPEC"}, {1, "RTA_DST"}, {2, "RTA_SRC"}, {3, "RTA_IIF"}, {4, "RTA_OIF"}, {5, "RTA_GATEWAY"},
    {6, "RTA_PRIORITY"}, {7, "RTA_PREFSRC"}, {8, "RTA_METRICS"}, {9, "RTA_MULTIPATH"}, {10, "RTA_PROTOINFO"},
    {11, "RTA_FLOW"}, {12, "RTA_CACHEINFO"}, {13, "RTA_SESSION"}, {14, "RTA_MP_ALGO"}, {15, "RTA_TABLE"},
    {16, "RTA_MARK"}, {17, "RTA_MFC_STATS"}, {18, "RTA_VIA"}, {19, "RTA_NEWDST"}, {20, "RTA_PREF"},
    {21, "RTA_ENCAP_TYPE"}, {22, "RTA_ENCAP"}, {23, "RTA_EXPIRES"}, {24, "RTA_PAD"}, {25, "RTA_UID"},
    {26, "RTA_TTL_PROPAGATE"}, {27, "RTA_IP_PROTO"}, {28, "RTA_SPORT"}, {29, "RTA_DPORT"}, {30, "RTA_NH_ID"},
    {31, "RTA_FLOWLABEL"},
};
constexpr Constant kNeighbourAttributeList[] = {
    {0, "NDA_UNSPEC"}, {1, "NDA_DST"}, {2, "NDA_LLADDR"}, {3, "NDA_CACHEINFO"}, {4, "NDA_PROBES"}, {5, "NDA_VLAN"},
    {6, "NDA_PORT"}, {7, "NDA_VNI"}, {8, "NDA_IFINDEX"}, {9, "NDA_MASTER"}, {10, "NDA_LINK_NETNSID"},
    {11, "NDA_SRC_VNI"}, {12, "NDA_PROTOCOL"}, {13, "NDA_NH_ID"}, {14, "NDA_FDB_EXT_ATTRS"}, {15, "NDA_FLAGS_EXT"},
    {16, "NDA_NDM_STATE_MASK"}, {17, "NDA_NDM_FLAGS_MASK"},
};
constexpr Constant kRuleAttributeList[] = {
    {0, "FRA_UNSPEC"}, {1, "FRA_DST"}, {2, "FRA_SRC"}, {3, "FRA_IIFNAME"}, {4, "FRA_GOTO"}, {5, "FRA_UNUSED2"},
    {6, "FRA_PRIORITY"}, {7, "FRA_UNUSED3"}, {8, "FRA_UNUSED4"}, {9, "FRA_UNUSED5"}, {10, "FRA_FWMARK"},
    {11, "FRA_FLOW"}, {12, "FRA_TUN_ID"}, {13, "FRA_SUPPRESS_IFGROUP"}, {14, "FRA_SUPPRESS_PREFIXLEN"},
    {15, "FRA_TABLE"}, {16, "FRA_FWMASK"}, {17, "FRA_OIFNAME"}, {18, "FRA_PAD"}, {19, "FRA_L3MDEV"},
    {20, "FRA_UID_RANGE"}, {21, "FRA_PROTOCOL"}, {22, "FRA_IP_PROTO"}, {23, "FRA_SPORT_RANGE"},
    {24, "FRA_DPORT_RANGE"}, {25, "FRA_DSCP"}, {26, "FRA_FLOWLABEL"}, {27, "FRA_FLOWLABEL_MASK"},
    {28, "FRA_SPORT_MASK"}, {29, "FRA_DPORT_MASK"}, {30, "FRA_DSCP_MASK"},
};
constexpr Constant kTcAttributeList[] = {
    {0, "TCA_UNSPEC"}, {1, "TCA_KIND"}, {2, "TCA_OPTIONS"}, {3, "TCA_STATS"}, {4, "TCA_XSTATS"}, {5, "TCA_RATE"},
    {6, "TCA_FCNT"}, {7, "TCA_STATS2"}, {8, "TCA_STAB"}, {9, "TCA_PAD"}, {10, "TCA_DUMP_INVISIBLE"},
    {11, "TCA_CHAIN"}, {12, "TCA_HW_OFFLOAD"}, {13, "TCA_INGRESS_BLOCK"}, {14, "TCA_EGRESS_BLOCK"},
    {15, "TCA_DUMP_FLAGS"}, {16, "TCA_EXT_WARN_MSG"},
};
constexpr Constant kLinkInfoAttributeList[] = {
    {0, "IFLA_INFO_UNSPEC"}, {1, "IFLA_INFO_KIND"}, {2, "IFLA_INFO_DATA"}, {3, "IFLA_INFO_XSTATS"},
    {4, "IFLA_INFO_SLAVE_KIND"}, {5, "IFLA_INFO_SLAVE_DATA"},
};
constexpr Constant kXdpAttributeList[] = {
    {0, "IFLA_XDP_UNSPEC"}, {1, "IFLA_XDP_FD"}, {2, "IFLA_XDP_ATTACHED"}, {3, "IFLA_XDP_FLAGS"},
    {4, "IFLA_XDP_PROG_ID"}, {5, "IFLA_XDP_DRV_PROG_ID"}, {6, "IFLA_XDP_SKB_PROG_ID"}, {7, "IFLA_XDP_HW_PROG_ID"},
    {8, "IFLA_XDP_EXPECTED_FD"},
};
constexpr Constant kLinkInetAttributeList[] = {
    {0, "IFLA_INET_UNSPEC"}, {1, "IFLA_INET_CONF"},
};
constexpr Constant kLinkInet6AttributeList[] = {
    {0, "IFLA_INET6_UNSPEC"}, {1, "IFLA_INET6_FLAGS"}, {2, "IFLA_INET6_CONF"}, {3, "IFLA_INET6_STATS"},
    {4, "IFLA_INET6_MCAST"}, {5, "IFLA_INET6_CACHEINFO"}, {6, "IFLA_INET6_ICMP6STATS"}, {7, "IFLA_INET6_TOKEN"},
    {8, "IFLA_INET6_ADDR_GEN_MODE"}, {9, "IFLA_INET6_RA_MTU"},
};
constexpr Constant kRouteMetricAttributeList[] = {
    {0, "RTAX_UNSPEC"}, {1, "RTAX_LOCK"}, {2, "RTAX_MTU"}, {3, "RTAX_WINDOW"}, {4, "RTAX_RTT"}, {5, "RTAX_RTTVAR"},
    {6, "RTAX_SSTHRESH"}, {7, "RTAX_CWND"}, {8, "RTAX_ADVMSS"}, {9, "RTAX_REORDERING"}, {10, "RTAX_HOPLIMIT"},
    {11, "RTAX_INITCWND"}, {12, "RTAX_FEATURES"}, {13, "RTAX_RTO_MIN"}, {14, "RTAX_INITRWND"}, {15, "RTAX_QUICKACK"},
    {16, "RTAX_CC_ALGO"}, {17, "RTAX_FASTOPEN_NO_COOKIE"},
};
constexpr Constant kProtoDownAttributeList[] = {
    {0, "IFLA_PROTO_DOWN_REASON_UNSPEC"}, {1, "IFLA_PROTO_DOWN_REASON_MASK"}, {2, "IFLA_PROTO_DOWN_REASON_VALUE"},
};
constexpr Constant kNeighbourFdbAttributeList[] = {
    {0, "NFEA_UNSPEC"}, {1, "NFEA_ACTIVITY_NOTIFY"}, {2, "NFEA_DONT_REFRESH"},
};
constexpr Constant kVfListAttributeList[] = {
    {0, "IFLA_VF_INFO_UNSPEC"}, {1, "IFLA_VF_INFO"},
};
constexpr Constant kVfAttributeList[] = {
    {0, "IFLA_VF_UNSPEC"}, {1, "IFLA_VF_MAC"}, {2, "IFLA_VF_VLAN"}, {3, "IFLA_VF_TX_RATE"}, {4, "IFLA_VF_SPOOFCHK"},
    {5, "IFLA_VF_LINK_STATE"}, {6, "IFLA_VF_RATE"}, {7, "IFLA_VF_RSS_QUERY_EN"}, {8, "IFLA_VF_STATS"},
    {9, "IFLA_VF_TRUST"}, {10, "IFLA_VF_IB_NODE_GUID"}, {11, "IFLA_VF_IB_PORT_GUID"}, {12, "IFLA_VF_VLAN_LIST"},
    {13, "IFLA_VF_BROADCAST"},
};
constexpr Constant kPortAttributeList[] = {
    {0, "IFLA_PORT_UNSPEC"}, {1, "IFLA_PORT_VF"}, {2, "IFLA_PORT_PROFILE"}, {3, "IFLA_PORT_VSI_TYPE"},
    {4, "IFLA_PORT_INSTANCE_UUID"}, {5, "IFLA_PORT_HOST_UUID"}, {6, "IFLA_PORT_REQUEST"}, {7, "IFLA_PORT_RESPONSE"},
};
constexpr Constant kNeighbourTableAttributeList[] = {
    {0, "NDTA_UNSPEC"}, {1, "NDTA_NAME"}, {2, "NDTA_THRESH1"}, {3, "NDTA_THRESH2"}, {4, "NDTA_THRESH3"},
    {5, "NDTA_CONFIG"}, {6, "NDTA_PARMS"}, {7, "NDTA_STATS"}, {8, "NDTA_GC_INTERVAL"}, {9, "NDTA_PAD"},
};
constexpr Constant kNetConfAttributeList[] = {
    {0, "NETCONFA_UNSPEC"}, {1, "NETCONFA_IFINDEX"}, {2, "NETCONFA_FORWARDING"}, {3, "NETCONFA_RP_FILTER"},
    {4, "NETCONFA_MC_FORWARDING"}, {5, "NETCONFA_PROXY_NEIGH"}, {6, "NETCONFA_IGNORE_ROUTES_WITH_LINKDOWN"},
    {7, "NETCONFA_INPUT"}, {8, "NETCONFA_BC_FORWARDING"}, {9, "NETCONFA_FORCE_FORWARDING"},
};
constexpr Constant kAddressLabelAttributeList[] = {
    {1, "IFAL_ADDRESS"}, {2, "IFAL_LABEL"},
};
constexpr Constant kNetNsAttributeList[] = {
    {0, "NETNSA_NONE"}, {1, "NETNSA_NSID"}, {2, "NETNSA_PID"}, {3, "NETNSA_FD"}, {4, "NETNSA_TARGET_NSID"},
    {5, "NETNSA_CURRENT_NSID"},
};
constexpr Constant kNexthopAttributeList[] = {
    {0, "NHA_UNSPEC"}, {1, "NHA_ID"}, {2, "NHA_GROUP"}, {3, "NHA_GROUP_TYPE"}, {4, "NHA_BLACKHOLE"}, {5, "NHA_OIF"},
    {6, "NHA_GATEWAY"}, {7, "NHA_ENCAP_TYPE"}, {8, "NHA_ENCAP"}, {9, "NHA_GROUPS"}, {10, "NHA_MASTER"},
    {11, "NHA_FDB"}, {12, "NHA_RES_GROUP"}, {13, "NHA_RES_BUCKET"},
};
constexpr Constant kTcRootAttributeList[] = {
    {0, "TCA_ROOT_UNSPEC"}, {1, "TCA_ROOT_TAB"}, {2, "TCA_ROOT_FLAGS"}, {3, "TCA_ROOT_COUNT"},
    {4, "TCA_ROOT_TIME_DELTA"}, {5, "TCA_ROOT_EXT_WARN_MSG"},
};
constexpr Constant kMdbAttributeList[] = {
    {0, "MDBA_UNSPEC"}, {1, "MDBA_MDB"}, {2, "MDBA_ROUTER"},
};
constexpr Constant kStatsAttributeList[] = {
    {0, "IFLA_STATS_UNSPEC"}, {1, "IFLA_STATS_LINK_64"}, {2, "IFLA_STATS_LINK_XSTATS"},
    {3, "IFLA_STATS_LINK_XSTATS_SLAVE"}, {4, "IFLA_STATS_LINK_OFFLOAD_XSTATS"}, {5, "IFLA_STATS_AF_SPEC"},
};
constexpr Constant kDcbAttributeList[] = {
    {0, "DCB_ATTR_UNDEFINED"}, {1, "DCB_ATTR_IFNAME"}, {2, "DCB_ATTR_STATE"}, {3, "DCB_ATTR_PFC_STATE"},
    {4, "DCB_ATTR_PFC_CFG"}, {5, "DCB_ATTR_NUM_TC"}, {6, "DCB_ATTR_PG_CFG"}, {7, "DCB_ATTR_SET_ALL"},
    {8, "DCB_ATTR_PERM_HWADDR"}, {9, "DCB_ATTR_CAP"}, {10, "DCB_ATTR_NUMTCS"}, {11, "DCB_ATTR_BCN"},
    {12, "DCB_ATTR_APP"}, {13, "DCB_ATTR_IEEE"}, {14, "DCB_ATTR_DCBX"}, {15, "DCB_ATTR_FEATCFG"},
    {16, "DCB_ATTR_CEE"},
};
constexpr Constant kIpv4ConfList[] = {
    {0, "IPV4_DEVCONF_FORWARDING-1"}, {1, "IPV4_DEVCONF_MC_FORWARDING-1"}, {2, "IPV4_DEVCONF_PROXY_ARP-1"},
    {3, "IPV4_DEVCONF_ACCEPT_REDIRECTS-1"}, {4, "IPV4_DEVCONF_SECURE_REDIRECTS-1"},
    {5, "IPV4_DEVCONF_SEND_REDIRECTS-1"}, {6, "IPV4_DEVCONF_SHARED_MEDIA-1"}, {7, "IPV4_DEVCONF_RP_FILTER-1"},
    {8, "IPV4_DEVCONF_ACCEPT_SOURCE_ROUTE-1"}, {9, "IPV4_DEVCONF_BOOTP_RELAY-1"}, {10, "IPV4_DEVCONF_LOG_MARTIANS-1"},
    {11, "IPV4_DEVCONF_TAG-1"}, {12, "IPV4_DEVCONF_ARPFILTER-1"}, {13, "IPV4_DEVCONF_MEDIUM_ID-1"},
    {14, "IPV4_DEVCONF_NOXFRM-1"}, {15, "IPV4_DEVCONF_NOPOLICY-1"}, {16, "IPV4_DEVCONF_FORCE_IGMP_VERSION-1"},
    {17, "IPV4_DEVCONF_ARP_ANNOUNCE-1"}, {18, "IPV4_DEVCONF_ARP_IGNORE-1"},
    {19, "IPV4_DEVCONF_PROMOTE_SECONDARIES-1"}, {20, "IPV4_DEVCONF_ARP_ACCEPT-1"}, {21, "IPV4_DEVCONF_ARP_NOTIFY-1"},
    {22, "IPV4_DEVCONF_ACCEPT_LOCAL-1"}, {23, "IPV4_DEVCONF_SRC_VMARK-1"}, {24, "IPV4_DEVCONF_PROXY_ARP_PVLAN-1"},
    {25, "IPV4_DEVCONF_ROUTE_LOCALNET-1"}, {26, "IPV4_DEVCONF_IGMPV2_UNSOLICITED_REPORT_INTERVAL-1"},
    {27, "IPV4_DEVCONF_IGMPV3_UNSOLICITED_REPORT_INTERVAL-1"}, {28, "IPV4_DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN-1"},
    {29, "IPV4_DEVCONF_DROP_UNICAST_IN_L2_MULTICAST-1"}, {30, "IPV4_DEVCONF_DROP_GRATUITOUS_ARP-1"},
    {31, "IPV4_DEVCONF_BC_FORWARDING-1"}, {32, "IPV4_DEVCONF_ARP_EVICT_NOCARRIER-1"},
};
constexpr Constant kIpv6ConfList[] = {
    {0, "DEVCONF_FORWARDING"}, {1, "DEVCONF_HOPLIMIT"}, {2, "DEVCONF_MTU6"}, {3, "DEVCONF_ACCEPT_RA"},
    {4, "DEVCONF_ACCEPT_REDIRECTS"}, {5, "DEVCONF_AUTOCONF"}, {6, "DEVCONF_DAD_TRANSMITS"},
    {7, "DEVCONF_RTR_SOLICITS"}, {8, "DEVCONF_RTR_SOLICIT_INTERVAL"}, {9, "DEVCONF_RTR_SOLICIT_DELAY"},
    {10, "DEVCONF_USE_TEMPADDR"}, {11, "DEVCONF_TEMP_VALID_LFT"}, {12, "DEVCONF_TEMP_PREFERED_LFT"},
    {13, "DEVCONF_REGEN_MAX_RETRY"}, {14, "DEVCONF_MAX_DESYNC_FACTOR"}, {15, "DEVCONF_MAX_ADDRESSES"},
    {16, "DEVCONF_FORCE_MLD_VERSION"}, {17, "DEVCONF_ACCEPT_RA_DEFRTR"}, {18, "DEVCONF_ACCEPT_RA_PINFO"},
    {19, "DEVCONF_ACCEPT_RA_RTR_PREF"}, {20, "DEVCONF_RTR_PROBE_INTERVAL"},
    {21, "DEVCONF_ACCEPT_RA_RT_INFO_MAX_PLEN"}, {22, "DEVCONF_PROXY_NDP"}, {23, "DEVCONF_OPTIMISTIC_DAD"},
    {24, "DEVCONF_ACCEPT_SOURCE_ROUTE"}, {25, "DEVCONF_MC_FORWARDING"}, {26, "DEVCONF_DISABLE_IPV6"},
    {27, "DEVCONF_ACCEPT_DAD"}, {28, "DEVCONF_FORCE_TLLAO"}, {29, "DEVCONF_NDISC_NOTIFY"},
    {30, "DEVCONF_MLDV1_UNSOLICITED_REPORT_INTERVAL"}, {31, "DEVCONF_MLDV2_UNSOLICITED_REPORT_INTERVAL"},
    {32, "DEVCONF_SUPPRESS_FRAG_NDISC"}, {33, "DEVCONF_ACCEPT_RA_FROM_LOCAL"}, {34, "DEVCONF_USE_OPTIMISTIC"},
    {35, "DEVCONF_ACCEPT_RA_MTU"}, {36, "DEVCONF_STABLE_SECRET"}, {37, "DEVCONF_USE_OIF_ADDRS_ONLY"},
    {38, "DEVCONF_ACCEPT_RA_MIN_HOP_LIMIT"}, {39, "DEVCONF_IGNORE_ROUTES_WITH_LINKDOWN"},
    {40, "DEVCONF_DROP_UNICAST_IN_L2_MULTICAST"}, {41, "DEVCONF_DROP_UNSOLICITED_NA"},
    {42, "DEVCONF_KEEP_ADDR_ON_DOWN"}, {43, "DEVCONF_RTR_SOLICIT_MAX_INTERVAL"}, {44, "DEVCONF_SEG6_ENABLED"},
    {45, "DEVCONF_SEG6_REQUIRE_HMAC"}, {46, "DEVCONF_ENHANCED_DAD"}, {47, "DEVCONF_ADDR_GEN_MODE"},
    {48, "DEVCONF_DISABLE_POLICY"}, {49, "DEVCONF_ACCEPT_RA_RT_INFO_MIN_PLEN"}, {50, "DEVCONF_NDISC_TCLASS"},
    {51, "DEVCONF_RPL_SEG_ENABLED"}, {52, "DEVCONF_RA_DEFRTR_METRIC"}, {53, "DEVCONF_IOAM6_ENABLED"},
    {54, "DEVCONF_IOAM6_ID"}, {55, "DEVCONF_IOAM6_ID_WIDE"}, {56, "DEVCONF_NDISC_EVICT_NOCARRIER"},
    {57, "DEVCONF_ACCEPT_UNTRACKED_NA"}, {58, "DEVCONF_ACCEPT_RA_MIN_LFT"}, {59, "DEVCONF_FORCE_FORWARDING"},
};
constexpr Constant kRouteTablesList[] = {
    {0, "RT_TABLE_UNSPEC"}, {252, "RT_TABLE_COMPAT"}, {253, "RT_TABLE_DEFAULT"}, {254, "RT_TABLE_MAIN"},
    {255, "RT_TABLE_LOCAL"},
};
constexpr Constant kRouteProtocolsList[] = {
    {0, "RTPROT_UNSPEC"}, {1, "RTPROT_REDIRECT"}, {2, "RTPROT_KERNEL"}, {3, "RTPROT_BOOT"}, {4, "RTPROT_STATIC"},
    {8, "RTPROT_GATED"}, {9, "RTPROT_RA"}, {10, "RTPROT_MRT"}, {11, "RTPROT_ZEBRA"}, {12, "RTPROT_BIRD"},
    {13, "RTPROT_DNROUTED"}, {14, "RTPROT_XORP"}, {15, "RTPROT_NTK"}, {16, "RTPROT_DHCP"}, {17, "RTPROT_MROUTED"},
    {18, "RTPROT_KEEPALIVED"}, {42, "RTPROT_BABEL"}, {84, "RTPROT_OVN"}, {99, "RTPROT_OPENR"}, {186, "RTPROT_BGP"},
    {187, "RTPROT_ISIS"}, {188, "RTPROT_OSPF"}, {189, "RTPROT_RIP"}, {192, "RTPROT_EIGRP"},
};
constexpr Constant kRouteScopesList[] = {
    {0, "RT_SCOPE_UNIVERSE"}, {200, "RT_SCOPE_SITE"}, {253, "RT_SCOPE_LINK"}, {254, "RT_SCOPE_HOST"},
    {255, "RT_SCOPE_NOWHERE"},
};
constexpr Constant kRouteTypesList[] = {
    {0, "RTN_UNSPEC"}, {1, "RTN_UNICAST"}, {2, "RTN_LOCAL"}, {3, "RTN_BROADCAST"}, {4, "RTN_ANYCAST"},
    {5, "RTN_MULTICAST"}, {6, "RTN_BLACKHOLE"}, {7, "RTN_UNREACHABLE"}, {8, "RTN_PROHIBIT"}, {9, "RTN_THROW"},
    {10, "RTN_NAT"}, {11, "RTN_XRESOLVE"},
};
constexpr Constant kRouteFlagsList[] = {
    {0x100, "RTM_F_NOTIFY"}, {0x200, "RTM_F_CLONED"}, {0x400, "RTM_F_EQUALIZE"}, {0x800, "RTM_F_PREFIX"},
    {0x1000, "RTM_F_LOOKUP_TABLE"}, {0x2000, "RTM_F_FIB_MATCH"}, {0x4000, "RTM_F_OFFLOAD"}, {0x8000, "RTM_F_TRAP"},
    {0x20000000, "RTM_F_OFFLOAD_FAILED"},
};
constexpr Constant kServiceTypesList[] = {
    {0x10, "IPTOS_LOWDELAY"}, {0x8, "IPTOS_THROUGHPUT"}, {0x4, "IPTOS_RELIABILITY"}, {0x2, "IPTOS_MINCOST"},
};
constexpr Constant kNexthopFlagsList[] = {
    {0x1, "RTNH_F_DEAD"}, {0x2, "RTNH_F_PERVASIVE"}, {0x4, "RTNH_F_ONLINK"}, {0x8, "RTNH_F_OFFLOAD"},
    {0x10, "RTNH_F_LINKDOWN"}, {0x20, "RTNH_F_UNRESOLVED"}, {0x40, "RTNH_F_TRAP"},
};
constexpr Constant kAddressFlagsList[] = {
    {0x1, "IFA_F_SECONDARY"}, {0x2, "IFA_F_NODAD"}, {0x4, "IFA_F_OPTIMISTIC"}, {0x8, "IFA_F_DADFAILED"},
    {0x10, "IFA_F_HOMEADDRESS"}, {0x20, "IFA_F_DEPRECATED"}, {0x40, "IFA_F_TENTATIVE"}, {0x80, "IFA_F_PERMANENT"},
    {0x100, "IFA_F_MANAGETEMPADDR"}, {0x200, "IFA_F_NOPREFIXROUTE"}, {0x400, "IFA_F_MCAUTOJOIN"},
    {0x800, "IFA_F_STABLE_PRIVACY"},
};
constexpr Constant kInterfaceFlagsList[] = {
    {0x1, "IFF_UP"}, {0x2, "IFF_BROADCAST"}, {0x4, "IFF_DEBUG"}, {0x8, "IFF_LOOPBACK"}, {0x10, "IFF_POINTOPOINT"},
    {0x20, "IFF_NOTRAILERS"}, {0x40, "IFF_RUNNING"}, {0x80, "IFF_NOARP"}, {0x100, "IFF_PROMISC"},
    {0x200, "IFF_ALLMULTI"}, {0x400, "IFF_MASTER"}, {0x800, "IFF_SLAVE"}, {0x1000, "IFF_MULTICAST"},
    {0x2000, "IFF_PORTSEL"}, {0x4000, "IFF_AUTOMEDIA"}, {0x8000, "IFF_DYNAMIC"}, {0x10000, "IFF_LOWER_UP"},
    {0x20000, "IFF_DORMANT"}, {0x40000, "IFF_ECHO"},
};
constexpr Constant kNeighbourStatesList[] = {
    {0x0, "NUD_NONE"}, {0x1, "NUD_INCOMPLETE"}, {0x2, "NUD_REACHABLE"}, {0x4, "NUD_STALE"}, {0x8, "NUD_DELAY"},
    {0x10, "NUD_PROBE"}, {0x20, "NUD_FAILED"}, {0x40, "NUD_NOARP"}, {0x80, "NUD_PERMANENT"},
};
constexpr Constant kNeighbourFlagsList[] = {
    {0x1, "NTF_USE"}, {0x2, "NTF_SELF"}, {0x4, "NTF_MASTER"}, {0x8, "NTF_PROXY"}, {0x10, "NTF_EXT_LEARNED"},
    {0x20, "NTF_OFFLOADED"}, {0x40, "NTF_STICKY"}, {0x80, "NTF_ROUTER"},
};
constexpr Constant kNeighbourExtendedFlagsList[] = {
    {0x1, "NTF_EXT_MANAGED"}, {0x2, "NTF_EXT_LOCKED"}, {0x4, "NTF_EXT_EXT_VALIDATED"},
};
constexpr Constant kRuleActionsList[] = {
    {0, "FR_ACT_UNSPEC"}, {1, "FR_ACT_TO_TBL"}, {2, "FR_ACT_GOTO"}, {3, "FR_ACT_NOP"}, {4, "FR_ACT_RES3"},
    {5, "FR_ACT_RES4"}, {6, "FR_ACT_BLACKHOLE"}, {7, "FR_ACT_UNREACHABLE"}, {8, "FR_ACT_PROHIBIT"},
};
constexpr Constant kRuleFlagsList[] = {
    {0x1, "FIB_RULE_PERMANENT"}, {0x2, "FIB_RULE_INVERT"}, {0x4, "FIB_RULE_UNRESOLVED"},
    {0x8, "FIB_RULE_IIF_DETACHED"}, {0x10, "FIB_RULE_OIF_DETACHED"}, {0x10000, "FIB_RULE_FIND_SADDR"},
};
constexpr Constant kLinkFiltersList[] = {
    {0x1, "RTEXT_FILTER_VF"}, {0x2, "RTEXT_FILTER_BRVLAN"}, {0x4, "RTEXT_FILTER_BRVLAN_COMPRESSED"},
    {0x8, "RTEXT_FILTER_SKIP_STATS"}, {0x10, "RTEXT_FILTER_MRP"}, {0x20, "RTEXT_FILTER_CFM_CONFIG"},
    {0x40, "RTEXT_FILTER_CFM_STATUS"}, {0x80, "RTEXT_FILTER_MST"}, {0x100, "RTEXT_FILTER_NAME_ONLY"},
};
constexpr Constant kLinkEventsList[] = {
    {0, "IFLA_EVENT_NONE"}, {1, "IFLA_EVENT_REBOOT"}, {2, "IFLA_EVENT_FEATURES"}, {3, "IFLA_EVENT_BONDING_FAILOVER"},
    {4, "IFLA_EVENT_NOTIFY_PEERS"}, {5, "IFLA_EVENT_IGMP_RESEND"}, {6, "IFLA_EVENT_BONDING_OPTIONS"},
};
constexpr Constant kInet6LinkFlagsList[] = {
    {0x10, "IF_RS_SENT"}, {0x20, "IF_RA_RCVD"}, {0x40, "IF_RA_MANAGED"}, {0x80, "IF_RA_OTHERCONF"},
    {0x80000000, "IF_READY"},
};
constexpr Constant kAddressGenerationList[] = {
    {0, "IN6_ADDR_GEN_MODE_EUI64"}, {1, "IN6_ADDR_GEN_MODE_NONE"}, {2, "IN6_ADDR_GEN_MODE_STABLE_PRIVACY"},
    {3, "IN6_ADDR_GEN_MODE_RANDOM"},
};
constexpr Constant kXdpAttachedList[] = {
    {0, "XDP_ATTACHED_NONE"}, {1, "XDP_ATTACHED_DRV"}, {2, "XDP_ATTACHED_SKB"}, {3, "XDP_ATTACHED_HW"},
    {4, "XDP_ATTACHED_MULTI"},
};
constexpr Constant kXdpLinkFlagsList[] = {
    {0x1, "XDP_FLAGS_UPDATE_IF_NOEXIST"}, {0x2, "XDP_FLAGS_SKB_MODE"}, {0x4, "XDP_FLAGS_DRV_MODE"},
    {0x8, "XDP_FLAGS_HW_MODE"}, {0x10, "XDP_FLAGS_REPLACE"},
};
constexpr Constant kEncapsulationsList[] = {
    {0, "LWTUNNEL_ENCAP_NONE"}, {1, "LWTUNNEL_ENCAP_MPLS"}, {2, "LWTUNNEL_ENCAP_IP"}, {3, "LWTUNNEL_ENCAP_ILA"},
    {4, "LWTUNNEL_ENCAP_IP6"}, {5, "LWTUNNEL_ENCAP_SEG6"}, {6, "LWTUNNEL_ENCAP_BPF"},
    {7, "LWTUNNEL_ENCAP_SEG6_LOCAL"}, {8, "LWTUNNEL_ENCAP_RPL"},
};
constexpr Constant kErrorAttributesList[] = {
    {0, "NLMSGERR_ATTR_UNUSED"}, {1, "NLMSGERR_ATTR_MSG"}, {2, "NLMSGERR_ATTR_OFFS"}, {3, "NLMSGERR_ATTR_COOKIE"},
    {4, "NLMSGERR_ATTR_POLICY"}, {5, "NLMSGERR_ATTR_MISS_TYPE"}, {6, "NLMSGERR_ATTR_MISS_NEST"},
};
constexpr Constant kIpv6StatsList[] = {
    {0, "IPSTATS_MIB_NUM"}, {1, "IPSTATS_MIB_INPKTS"}, {2, "IPSTATS_MIB_INOCTETS"}, {3, "IPSTATS_MIB_INDELIVERS"},
    {4, "IPSTATS_MIB_OUTFORWDATAGRAMS"}, {5, "IPSTATS_MIB_OUTPKTS"}, {6, "IPSTATS_MIB_OUTOCTETS"},
    {7, "IPSTATS_MIB_INHDRERRORS"}, {8, "IPSTATS_MIB_INTOOBIGERRORS"}, {9, "IPSTATS_MIB_INNOROUTES"},
    {10, "IPSTATS_MIB_INADDRERRORS"}, {11, "IPSTATS_MIB_INUNKNOWNPROTOS"}, {12, "IPSTATS_MIB_INTRUNCATEDPKTS"},
    {13, "IPSTATS_MIB_INDISCARDS"}, {14, "IPSTATS_MIB_OUTDISCARDS"}, {15, "IPSTATS_MIB_OUTNOROUTES"},
    {16, "IPSTATS_MIB_REASMTIMEOUT"}, {17, "IPSTATS_MIB_REASMREQDS"}, {18, "IPSTATS_MIB_REASMOKS"},
    {19, "IPSTATS_MIB_REASMFAILS"}, {20, "IPSTATS_MIB_FRAGOKS"}, {21, "IPSTATS_MIB_FRAGFAILS"},
    {22, "IPSTATS_MIB_FRAGCREATES"}, {23, "IPSTATS_MIB_INMCASTPKTS"}, {24, "IPSTATS_MIB_OUTMCASTPKTS"},
    {25, "IPSTATS_MIB_INBCASTPKTS"}, {26, "IPSTATS_MIB_OUTBCASTPKTS"}, {27, "IPSTATS_MIB_INMCASTOCTETS"},
    {28, "IPSTATS_MIB_OUTMCASTOCTETS"}, {29, "IPSTATS_MIB_INBCASTOCTETS"}, {30, "IPSTATS_MIB_OUTBCASTOCTETS"},
    {31, "IPSTATS_MIB_CSUMERRORS"}, {32, "IPSTATS_MIB_NOECTPKTS"}, {33, "IPSTATS_MIB_ECT1PKTS"},
    {34, "IPSTATS_MIB_ECT0PKTS"}, {35, "IPSTATS_MIB_CEPKTS"}, {36, "IPSTATS_MIB_REASM_OVERLAPS"},
};
constexpr Constant kIcmp6StatsList[] = {
    {0, "ICMP6_MIB_NUM"}, {1, "ICMP6_MIB_INMSGS"}, {2, "ICMP6_MIB_INERRORS"}, {3, "ICMP6_MIB_OUTMSGS"},
    {4, "ICMP6_MIB_OUTERRORS"}, {5, "ICMP6_MIB_CSUMERRORS"},
};
constexpr Constant kTcStatsAttributeNamesList[] = {
    {0, "TCA_STATS_UNSPEC"}, {1, "TCA_STATS_BASIC"}, {2, "TCA_STATS_RATE_EST"}, {3, "TCA_STATS_QUEUE"},
    {4, "TCA_STATS_APP"}, {5, "TCA_STATS_RATE_EST64"}, {6, "TCA_STATS_PAD"}, {7, "TCA_STATS_BASIC_HW"},
    {8, "TCA_STATS_PKT64"},
};
constexpr Constant kTcStabAttributeNamesList[] = {
    {0, "TCA_STAB_UNSPEC"}, {1, "TCA_STAB_BASE"}, {2, "TCA_STAB_DATA"},
};
constexpr Constant kVfPortAttributeNamesList[] = {
    {0, "IFLA_VF_PORT_UNSPEC"}, {1, "IFLA_VF_PORT"},
};

}  // namespace

constinit const ConstantSet kLinkAttributeNames = enumeration("IFLA_???", kLinkAttributeList);
constinit const ConstantSet kAddressAttributeNames = enumeration("IFA_???", kAddressAttributeList);
constinit const ConstantSet kRouteAttributeNames = enumeration("RTA_???", kRouteAttributeList);
constinit const ConstantSet kNeighbourAttributeNames = enumeration("NDA_???", kNeighbourAttributeList);
constinit const ConstantSet kRuleAttributeNames = enumeration("FRA_???", kRuleAttributeList);
constinit const ConstantSet kTcAttributeNames = enumeration("TCA_???", kTcAttributeList);
constinit const ConstantSet kLinkInfoAttributeNames = enumeration("IFLA_INFO_???", kLinkInfoAttributeList);
constinit const ConstantSet kXdpAttributeNames = enumeration("IFLA_XDP_???", kXdpAttributeList);
constinit const ConstantSet kLinkInetAttributeNames = enumeration("IFLA_INET_???", kLinkInetAttributeList);
constinit const ConstantSet kLinkInet6AttributeNames = enumeration("IFLA_INET6_???", kLinkInet6AttributeList);
constinit const ConstantSet kRouteMetricAttributeNames = enumeration("RTAX_???", kRouteMetricAttributeList);
constinit const ConstantSet kProtoDownAttributeNames =
    enumeration("IFLA_PROTO_DOWN_REASON_???", kProtoDownAttributeList);
constinit const ConstantSet kNeighbourFdbAttributeNames = enumeration("NFEA_???", kNeighbourFdbAttributeList);
constinit const ConstantSet kVfListAttributeNames = enumeration("IFLA_VF_INFO_???", kVfListAttributeList);
constinit const ConstantSet kVfAttributeNames = enumeration("IFLA_VF_???", kVfAttributeList);
constinit const ConstantSet kPortAttributeNames = enumeration("IFLA_PORT_???", kPortAttributeList);
constinit const ConstantSet kNeighbourTableAttributeNames = enumeration("NDTA_???", kNeighbourTableAttributeList);
constinit const ConstantSet kNetConfAttributeNames = enumeration("NETCONFA_???", kNetConfAttributeList);
constinit const ConstantSet kAddressLabelAttributeNames = enumeration("IFAL_???", kAddressLabelAttributeList);
constinit const ConstantSet kNetNsAttributeNames = enumeration("NETNSA_???", kNetNsAttributeList);
constinit const ConstantSet kNexthopAttributeNames = enumeration("NHA_???", kNexthopAttributeList);
constinit const ConstantSet kTcRootAttributeNames = enumeration("TCA_ROOT_???", kTcRootAttributeList);
constinit const ConstantSet kMdbAttributeNames = enumeration("MDBA_???", kMdbAttributeList);
constinit const ConstantSet kStatsAttributeNames = enumeration("IFLA_STATS_???", kStatsAttributeList);
constinit const ConstantSet kDcbAttributeNames = enumeration("DCB_ATTR_???", kDcbAttributeList);
constinit const ConstantSet kIpv4ConfNames = enumeration("IPV4_DEVCONF_???", kIpv4ConfList, NumberBase::Decimal);
constinit const ConstantSet kIpv6ConfNames = enumeration("DEVCONF_???", kIpv6ConfList, NumberBase::Decimal);
constinit const ConstantSet kRouteTables = enumeration("RT_TABLE_???", kRouteTablesList);
constinit const ConstantSet kRouteProtocols = enumeration("RTPROT_???", kRouteProtocolsList);
constinit const ConstantSet kRouteScopes = enumeration(nullptr, kRouteScopesList);
constinit const ConstantSet kRouteTypes = enumeration("RTN_???", kRouteTypesList);
constinit const ConstantSet kRouteFlags = flag_set("RTM_F_???", kRouteFlagsList);
constinit const ConstantSet kServiceTypes = flag_set("IPTOS_???", kServiceTypesList);
constinit const ConstantSet kNexthopFlags = flag_set("RTNH_F_???", kNexthopFlagsList);
constinit const ConstantSet kAddressFlags = flag_set("IFA_F_???", kAddressFlagsList);
constinit const ConstantSet kInterfaceFlags = flag_set("IFF_???", kInterfaceFlagsList);
constinit const ConstantSet kNeighbourStates = flag_set("NUD_???", kNeighbourStatesList);
constinit const ConstantSet kNeighbourFlags = flag_set("NTF_???", kNeighbourFlagsList);
constinit const ConstantSet kNeighbourExtendedFlags = flag_set("NTF_EXT_???", kNeighbourExtendedFlagsList);
constinit const ConstantSet kRuleActions = enumeration("FR_ACT_???", kRuleActionsList);
constinit const ConstantSet kRuleFlags = flag_set("FIB_RULE_???", kRuleFlagsList);
constinit const ConstantSet kLinkFilters = flag_set("RTEXT_FILTER_???", kLinkFiltersList);
constinit const ConstantSet kLinkEvents = enumeration("IFLA_EVENT_???", kLinkEventsList);
constinit const ConstantSet kInet6LinkFlags = flag_set("IF_???", kInet6LinkFlagsList);
constinit const ConstantSet kAddressGeneration = enumeration("IN6_ADDR_GEN_MODE_???", kAddressGenerationList);
constinit const ConstantSet kXdpAttached = enumeration("XDP_ATTACHED_???", kXdpAttachedList);
constinit const ConstantSet kXdpLinkFlags = flag_set("XDP_FLAGS_???", kXdpLinkFlagsList);
constinit const ConstantSet kEncapsulations = enumeration("LWTUNNEL_ENCAP_???", kEncapsulationsList);
constinit const ConstantSet kErrorAttributes = enumeration("NLMSGERR_ATTR_???", kErrorAttributesList);
constinit const ConstantSet kBareRouteTables = enumeration(nullptr, kRouteTablesList);
constinit const ConstantSet kIpv6StatsNames = enumeration("IPSTATS_MIB_???", kIpv6StatsList, NumberBase::Decimal);
constinit const ConstantSet kIcmp6StatsNames = enumeration("ICMP6_MIB_???", kIcmp6StatsList, NumberBase::Decimal);
constinit const ConstantSet kTcStatsAttributeNames = enumeration("TCA_STATS_???", kTcStatsAttributeNamesList);
constinit const ConstantSet kTcStabAttributeNames = enumeration("TCA_STAB_???", kTcStabAttributeNamesList);
constinit const ConstantSet kVfPortAttributeNames = enumeration("IFLA_VF_PORT_???", kVfPortAttributeNamesList);

}  // namespace strut
