#include "syscalls/types/socket/socket_options.hpp"

#include "syscalls/types/common/merged.hpp"

namespace strut {
namespace {

// Names of options by level: <asm-generic/socket.h>, <linux/in.h>, <linux/in6.h>, <linux/tcp.h>, <linux/udp.h>,
// <linux/netlink.h>, <linux/if_packet.h>, <linux/sctp.h>, <linux/tipc.h>, <linux/vm_sockets.h> and their like. A
// number that means one thing to setsockopt(2) and another, or nothing, to getsockopt(2) is in a table for each.
constexpr Constant kSocketLevelNames[] = {
    {0, "SOL_IP"}, {1, "SOL_SOCKET"}, {6, "SOL_TCP"}, {17, "SOL_UDP"}, {40, "AF_VSOCK"}, {41, "SOL_IPV6"},
    {58, "SOL_ICMPV6"}, {100, "SOL_CAN_BASE"}, {101, "SOL_CAN_RAW"}, {132, "SOL_SCTP"}, {136, "SOL_UDPLITE"},
    {255, "SOL_RAW"}, {256, "SOL_IPX"}, {257, "SOL_AX25"}, {258, "SOL_ATALK"}, {259, "SOL_NETROM"}, {260, "SOL_ROSE"},
    {261, "SOL_DECNET"}, {262, "SOL_X25"}, {263, "SOL_PACKET"}, {264, "SOL_ATM"}, {265, "SOL_AAL"}, {266, "SOL_IRDA"},
    {267, "SOL_NETBEUI"}, {268, "SOL_LLC"}, {269, "SOL_DCCP"}, {270, "SOL_NETLINK"}, {271, "SOL_TIPC"},
    {272, "SOL_RXRPC"}, {273, "SOL_PPPOL2TP"}, {274, "SOL_BLUETOOTH"}, {275, "SOL_PNPIPE"}, {276, "SOL_RDS"},
    {277, "SOL_IUCV"}, {278, "SOL_CAIF"}, {279, "SOL_ALG"}, {280, "SOL_NFC"}, {281, "SOL_KCM"}, {282, "SOL_TLS"},
    {283, "SOL_XDP"}, {284, "SOL_MPTCP"}, {285, "SOL_MCTP"}, {286, "SOL_SMC"}, {287, "SOL_VSOCK"},
};
constexpr Constant kIpOptionNames[] = {
    {1, "IP_TOS"}, {2, "IP_TTL"}, {3, "IP_HDRINCL"}, {4, "IP_OPTIONS"}, {5, "IP_ROUTER_ALERT"}, {6, "IP_RECVOPTS"},
    {7, "IP_RETOPTS"}, {8, "IP_PKTINFO"}, {9, "IP_PKTOPTIONS"}, {10, "IP_MTU_DISCOVER"}, {11, "IP_RECVERR"},
    {12, "IP_RECVTTL"}, {13, "IP_RECVTOS"}, {14, "IP_MTU"}, {15, "IP_FREEBIND"}, {16, "IP_IPSEC_POLICY"},
    {17, "IP_XFRM_POLICY"}, {18, "IP_PASSSEC"}, {19, "IP_TRANSPARENT"}, {20, "IP_ORIGDSTADDR"}, {21, "IP_MINTTL"},
    {22, "IP_NODEFRAG"}, {23, "IP_CHECKSUM"}, {24, "IP_BIND_ADDRESS_NO_PORT"}, {25, "IP_RECVFRAGSIZE"},
    {26, "IP_RECVERR_RFC4884"}, {32, "IP_MULTICAST_IF"}, {33, "IP_MULTICAST_TTL"}, {34, "IP_MULTICAST_LOOP"},
    {35, "IP_ADD_MEMBERSHIP"}, {36, "IP_DROP_MEMBERSHIP"}, {37, "IP_UNBLOCK_SOURCE"}, {38, "IP_BLOCK_SOURCE"},
    {39, "IP_ADD_SOURCE_MEMBERSHIP"}, {40, "IP_DROP_SOURCE_MEMBERSHIP"}, {41, "IP_MSFILTER"}, {42, "MCAST_JOIN_GROUP"},
    {43, "MCAST_BLOCK_SOURCE"}, {44, "MCAST_UNBLOCK_SOURCE"}, {45, "MCAST_LEAVE_GROUP"},
    {46, "MCAST_JOIN_SOURCE_GROUP"}, {47, "MCAST_LEAVE_SOURCE_GROUP"}, {48, "MCAST_MSFILTER"},
    {49, "IP_MULTICAST_ALL"}, {50, "IP_UNICAST_IF"}, {51, "IP_LOCAL_PORT_RANGE"}, {52, "IP_PROTOCOL"},
};
constexpr Constant kIpSetOnlyNames[] = {
    {64, "IPT_SO_SET_REPLACE"}, {65, "IPT_SO_SET_ADD_COUNTERS"}, {96, "ARPT_SO_SET_REPLACE"},
    {97, "ARPT_SO_SET_ADD_COUNTERS"}, {128, "EBT_SO_SET_ENTRIES"}, {129, "EBT_SO_SET_COUNTERS"},
};
constexpr Constant kIpGetOnlyNames[] = {
    {64, "IPT_SO_GET_INFO"}, {65, "IPT_SO_GET_ENTRIES"}, {66, "IPT_SO_GET_REVISION_MATCH"},
    {67, "IPT_SO_GET_REVISION_TARGET"}, {96, "ARPT_SO_GET_INFO"}, {97, "ARPT_SO_GET_ENTRIES"},
    {99, "ARPT_SO_GET_REVISION_TARGET"}, {128, "EBT_SO_GET_INFO"}, {129, "EBT_SO_GET_ENTRIES"},
    {130, "EBT_SO_GET_INIT_INFO"}, {131, "EBT_SO_GET_INIT_ENTRIES"},
};
constexpr auto kIpSetNames = merged(kIpOptionNames, kIpSetOnlyNames);
constexpr auto kIpGetNames = merged(kIpOptionNames, kIpGetOnlyNames);
constexpr Constant kSocketSetNames[] = {
    {1, "SO_DEBUG"}, {2, "SO_REUSEADDR"}, {3, "SO_TYPE"}, {4, "SO_ERROR"}, {5, "SO_DONTROUTE"}, {6, "SO_BROADCAST"},
    {7, "SO_SNDBUF"}, {8, "SO_RCVBUF"}, {9, "SO_KEEPALIVE"}, {10, "SO_OOBINLINE"}, {11, "SO_NO_CHECK"},
    {12, "SO_PRIORITY"}, {13, "SO_LINGER"}, {14, "SO_BSDCOMPAT"}, {15, "SO_REUSEPORT"}, {16, "SO_PASSCRED"},
    {17, "SO_PEERCRED"}, {18, "SO_RCVLOWAT"}, {19, "SO_SNDLOWAT"}, {20, "SO_RCVTIMEO_OLD"}, {21, "SO_SNDTIMEO_OLD"},
    {22, "SO_SECURITY_AUTHENTICATION"}, {23, "SO_SECURITY_ENCRYPTION_TRANSPORT"},
    {24, "SO_SECURITY_ENCRYPTION_NETWORK"}, {25, "SO_BINDTODEVICE"}, {26, "SO_ATTACH_FILTER"},
    {27, "SO_DETACH_FILTER"}, {28, "SO_PEERNAME"}, {29, "SO_TIMESTAMP_OLD"}, {30, "SO_ACCEPTCONN"},
    {31, "SO_PEERSEC"}, {32, "SO_SNDBUFFORCE"}, {33, "SO_RCVBUFFORCE"}, {34, "SO_PASSSEC"},
    {35, "SO_TIMESTAMPNS_OLD"}, {36, "SO_MARK"}, {37, "SO_TIMESTAMPING_OLD"}, {38, "SO_PROTOCOL"}, {39, "SO_DOMAIN"},
    {40, "SO_RXQ_OVFL"}, {41, "SO_WIFI_STATUS"}, {42, "SO_PEEK_OFF"}, {43, "SO_NOFCS"}, {44, "SO_LOCK_FILTER"},
    {45, "SO_SELECT_ERR_QUEUE"}, {46, "SO_BUSY_POLL"}, {47, "SO_MAX_PACING_RATE"}, {48, "SO_BPF_EXTENSIONS"},
    {49, "SO_INCOMING_CPU"}, {50, "SO_ATTACH_BPF"}, {51, "SO_ATTACH_REUSEPORT_CBPF"},
    {52, "SO_ATTACH_REUSEPORT_EBPF"}, {53, "SO_CNX_ADVICE"}, {55, "SO_MEMINFO"}, {56, "SO_INCOMING_NAPI_ID"},
    {57, "SO_COOKIE"}, {59, "SO_PEERGROUPS"}, {60, "SO_ZEROCOPY"}, {61, "SO_TXTIME"}, {62, "SO_BINDTOIFINDEX"},
    {63, "SO_TIMESTAMP_NEW"}, {64, "SO_TIMESTAMPNS_NEW"}, {65, "SO_TIMESTAMPING_NEW"}, {66, "SO_RCVTIMEO_NEW"},
    {67, "SO_SNDTIMEO_NEW"}, {68, "SO_DETACH_REUSEPORT_BPF"}, {69, "SO_PREFER_BUSY_POLL"},
    {70, "SO_BUSY_POLL_BUDGET"}, {71, "SO_NETNS_COOKIE"}, {72, "SO_BUF_LOCK"}, {73, "SO_RESERVE_MEM"},
    {74, "SO_TXREHASH"}, {75, "SO_RCVMARK"}, {76, "SO_PASSPIDFD"}, {77, "SO_PEERPIDFD"}, {80, "SO_DEVMEM_DONTNEED"},
    {82, "SO_RCVPRIORITY"}, {83, "SO_PASSRIGHTS"}, {84, "SO_INQ"},
};
constexpr Constant kSocketGetNames[] = {
    {1, "SO_DEBUG"}, {2, "SO_REUSEADDR"}, {3, "SO_TYPE"}, {4, "SO_ERROR"}, {5, "SO_DONTROUTE"}, {6, "SO_BROADCAST"},
    {7, "SO_SNDBUF"}, {8, "SO_RCVBUF"}, {9, "SO_KEEPALIVE"}, {10, "SO_OOBINLINE"}, {11, "SO_NO_CHECK"},
    {12, "SO_PRIORITY"}, {13, "SO_LINGER"}, {14, "SO_BSDCOMPAT"}, {15, "SO_REUSEPORT"}, {16, "SO_PASSCRED"},
    {17, "SO_PEERCRED"}, {18, "SO_RCVLOWAT"}, {19, "SO_SNDLOWAT"}, {20, "SO_RCVTIMEO_OLD"}, {21, "SO_SNDTIMEO_OLD"},
    {22, "SO_SECURITY_AUTHENTICATION"}, {23, "SO_SECURITY_ENCRYPTION_TRANSPORT"},
    {24, "SO_SECURITY_ENCRYPTION_NETWORK"}, {25, "SO_BINDTODEVICE"}, {26, "SO_GET_FILTER"}, {27, "SO_DETACH_FILTER"},
    {28, "SO_PEERNAME"}, {29, "SO_TIMESTAMP_OLD"}, {30, "SO_ACCEPTCONN"}, {31, "SO_PEERSEC"}, {32, "SO_SNDBUFFORCE"},
    {33, "SO_RCVBUFFORCE"}, {34, "SO_PASSSEC"}, {35, "SO_TIMESTAMPNS_OLD"}, {36, "SO_MARK"},
    {37, "SO_TIMESTAMPING_OLD"}, {38, "SO_PROTOCOL"}, {39, "SO_DOMAIN"}, {40, "SO_RXQ_OVFL"}, {41, "SO_WIFI_STATUS"},
    {42, "SO_PEEK_OFF"}, {43, "SO_NOFCS"}, {44, "SO_LOCK_FILTER"}, {45, "SO_SELECT_ERR_QUEUE"}, {46, "SO_BUSY_POLL"},
    {47, "SO_MAX_PACING_RATE"}, {48, "SO_BPF_EXTENSIONS"}, {49, "SO_INCOMING_CPU"}, {50, "SO_ATTACH_BPF"},
    {51, "SO_ATTACH_REUSEPORT_CBPF"}, {52, "SO_ATTACH_REUSEPORT_EBPF"}, {53, "SO_CNX_ADVICE"}, {55, "SO_MEMINFO"},
    {56, "SO_INCOMING_NAPI_ID"}, {57, "SO_COOKIE"}, {59, "SO_PEERGROUPS"}, {60, "SO_ZEROCOPY"}, {61, "SO_TXTIME"},
    {62, "SO_BINDTOIFINDEX"}, {63, "SO_TIMESTAMP_NEW"}, {64, "SO_TIMESTAMPNS_NEW"}, {65, "SO_TIMESTAMPING_NEW"},
    {66, "SO_RCVTIMEO_NEW"}, {67, "SO_SNDTIMEO_NEW"}, {68, "SO_DETACH_REUSEPORT_BPF"}, {69, "SO_PREFER_BUSY_POLL"},
    {70, "SO_BUSY_POLL_BUDGET"}, {71, "SO_NETNS_COOKIE"}, {72, "SO_BUF_LOCK"}, {73, "SO_RESERVE_MEM"},
    {74, "SO_TXREHASH"}, {75, "SO_RCVMARK"}, {76, "SO_PASSPIDFD"}, {77, "SO_PEERPIDFD"}, {82, "SO_RCVPRIORITY"},
    {83, "SO_PASSRIGHTS"}, {84, "SO_INQ"},
};
constexpr Constant kTcpOptionNames[] = {
    {1, "TCP_NODELAY"}, {2, "TCP_MAXSEG"}, {3, "TCP_CORK"}, {4, "TCP_KEEPIDLE"}, {5, "TCP_KEEPINTVL"},
    {6, "TCP_KEEPCNT"}, {7, "TCP_SYNCNT"}, {8, "TCP_LINGER2"}, {9, "TCP_DEFER_ACCEPT"}, {10, "TCP_WINDOW_CLAMP"},
    {11, "TCP_INFO"}, {12, "TCP_QUICKACK"}, {13, "TCP_CONGESTION"}, {14, "TCP_MD5SIG"},
    {15, "TCP_COOKIE_TRANSACTIONS"}, {16, "TCP_THIN_LINEAR_TIMEOUTS"}, {17, "TCP_THIN_DUPACK"},
    {18, "TCP_USER_TIMEOUT"}, {19, "TCP_REPAIR"}, {20, "TCP_REPAIR_QUEUE"}, {21, "TCP_QUEUE_SEQ"},
    {22, "TCP_REPAIR_OPTIONS"}, {23, "TCP_FASTOPEN"}, {24, "TCP_TIMESTAMP"}, {25, "TCP_NOTSENT_LOWAT"},
    {26, "TCP_CC_INFO"}, {27, "TCP_SAVE_SYN"}, {28, "TCP_SAVED_SYN"}, {29, "TCP_REPAIR_WINDOW"},
    {30, "TCP_FASTOPEN_CONNECT"}, {31, "TCP_ULP"}, {32, "TCP_MD5SIG_EXT"}, {33, "TCP_FASTOPEN_KEY"},
    {34, "TCP_FASTOPEN_NO_COOKIE"}, {35, "TCP_ZEROCOPY_RECEIVE"}, {36, "TCP_INQ"}, {37, "TCP_TX_DELAY"},
    {38, "TCP_AO_ADD_KEY"}, {39, "TCP_AO_DEL_KEY"}, {40, "TCP_AO_INFO"}, {41, "TCP_AO_GET_KEYS"},
    {42, "TCP_AO_REPAIR"}, {43, "TCP_IS_MPTCP"}, {44, "TCP_RTO_MAX_MS"}, {45, "TCP_RTO_MIN_US"},
    {46, "TCP_DELACK_MAX_US"},
};
constexpr Constant kUdpOptionNames[] = {
    {1, "UDP_CORK"}, {100, "UDP_ENCAP"}, {101, "UDP_NO_CHECK6_TX"}, {102, "UDP_NO_CHECK6_RX"}, {103, "UDP_SEGMENT"},
    {104, "UDP_GRO"},
};
constexpr Constant kVmSocketsOptionNames[] = {
    {0, "SO_VM_SOCKETS_BUFFER_SIZE"}, {1, "SO_VM_SOCKETS_BUFFER_MIN_SIZE"}, {2, "SO_VM_SOCKETS_BUFFER_MAX_SIZE"},
    {3, "SO_VM_SOCKETS_PEER_HOST_VM_ID"}, {5, "SO_VM_SOCKETS_TRUSTED"}, {6, "SO_VM_SOCKETS_CONNECT_TIMEOUT_OLD"},
    {7, "SO_VM_SOCKETS_NONBLOCK_TXRX"}, {8, "SO_VM_SOCKETS_CONNECT_TIMEOUT_NEW"},
};
constexpr Constant kIpv6OptionNames[] = {
    {1, "IPV6_ADDRFORM"}, {2, "IPV6_2292PKTINFO"}, {3, "IPV6_2292HOPOPTS"}, {4, "IPV6_2292DSTOPTS"},
    {5, "IPV6_2292RTHDR"}, {6, "IPV6_2292PKTOPTIONS"}, {7, "IPV6_CHECKSUM"}, {8, "IPV6_2292HOPLIMIT"},
    {9, "IPV6_NEXTHOP"}, {10, "IPV6_AUTHHDR"}, {11, "IPV6_FLOWINFO"}, {16, "IPV6_UNICAST_HOPS"},
    {17, "IPV6_MULTICAST_IF"}, {18, "IPV6_MULTICAST_HOPS"}, {19, "IPV6_MULTICAST_LOOP"}, {20, "IPV6_ADD_MEMBERSHIP"},
    {21, "IPV6_DROP_MEMBERSHIP"}, {22, "IPV6_ROUTER_ALERT"}, {23, "IPV6_MTU_DISCOVER"}, {24, "IPV6_MTU"},
    {25, "IPV6_RECVERR"}, {26, "IPV6_V6ONLY"}, {27, "IPV6_JOIN_ANYCAST"}, {28, "IPV6_LEAVE_ANYCAST"},
    {29, "IPV6_MULTICAST_ALL"}, {30, "IPV6_ROUTER_ALERT_ISOLATE"}, {31, "IPV6_RECVERR_RFC4884"},
    {32, "IPV6_FLOWLABEL_MGR"}, {33, "IPV6_FLOWINFO_SEND"}, {34, "IPV6_IPSEC_POLICY"}, {35, "IPV6_XFRM_POLICY"},
    {36, "IPV6_HDRINCL"}, {42, "MCAST_JOIN_GROUP"}, {43, "MCAST_BLOCK_SOURCE"}, {44, "MCAST_UNBLOCK_SOURCE"},
    {45, "MCAST_LEAVE_GROUP"}, {46, "MCAST_JOIN_SOURCE_GROUP"}, {47, "MCAST_LEAVE_SOURCE_GROUP"},
    {48, "MCAST_MSFILTER"}, {49, "IPV6_RECVPKTINFO"}, {50, "IPV6_PKTINFO"}, {51, "IPV6_RECVHOPLIMIT"},
    {52, "IPV6_HOPLIMIT"}, {53, "IPV6_RECVHOPOPTS"}, {54, "IPV6_HOPOPTS"}, {55, "IPV6_RTHDRDSTOPTS"},
    {56, "IPV6_RECVRTHDR"}, {57, "IPV6_RTHDR"}, {58, "IPV6_RECVDSTOPTS"}, {59, "IPV6_DSTOPTS"},
    {60, "IPV6_RECVPATHMTU"}, {61, "IPV6_PATHMTU"}, {62, "IPV6_DONTFRAG"}, {63, "IPV6_USE_MIN_MTU"},
    {66, "IPV6_RECVTCLASS"}, {67, "IPV6_TCLASS"}, {70, "IPV6_AUTOFLOWLABEL"}, {72, "IPV6_ADDR_PREFERENCES"},
    {73, "IPV6_MINHOPCOUNT"}, {74, "IPV6_ORIGDSTADDR"}, {75, "IPV6_TRANSPARENT"}, {76, "IPV6_UNICAST_IF"},
    {77, "IPV6_RECVFRAGSIZE"}, {78, "IPV6_FREEBIND"},
};
constexpr Constant kIpv6SetOnlyNames[] = {
    {64, "IP6T_SO_SET_REPLACE"}, {65, "IP6T_SO_SET_ADD_COUNTERS"},
};
constexpr Constant kIpv6GetOnlyNames[] = {
    {64, "IP6T_SO_GET_INFO"}, {65, "IP6T_SO_GET_ENTRIES"}, {68, "IP6T_SO_GET_REVISION_MATCH"},
    {69, "IP6T_SO_GET_REVISION_TARGET"},
};
constexpr auto kIpv6SetNames = merged(kIpv6OptionNames, kIpv6SetOnlyNames);
constexpr auto kIpv6GetNames = merged(kIpv6OptionNames, kIpv6GetOnlyNames);
constexpr Constant kCanRawOptionNames[] = {
    {1, "CAN_RAW_FILTER"}, {2, "CAN_RAW_ERR_FILTER"}, {3, "CAN_RAW_LOOPBACK"}, {4, "CAN_RAW_RECV_OWN_MSGS"},
    {5, "CAN_RAW_FD_FRAMES"}, {6, "CAN_RAW_JOIN_FILTERS"}, {7, "CAN_RAW_XL_FRAMES"}, {8, "CAN_RAW_XL_VCID_OPTS"},
};
constexpr Constant kSctpOptionNames[] = {
    {0, "SCTP_RTOINFO"}, {1, "SCTP_ASSOCINFO"}, {2, "SCTP_INITMSG"}, {3, "SCTP_NODELAY"}, {4, "SCTP_AUTOCLOSE"},
    {5, "SCTP_SET_PEER_PRIMARY_ADDR"}, {6, "SCTP_PRIMARY_ADDR"}, {7, "SCTP_ADAPTATION_LAYER"},
    {8, "SCTP_DISABLE_FRAGMENTS"}, {9, "SCTP_PEER_ADDR_PARAMS"}, {10, "SCTP_DEFAULT_SEND_PARAM"}, {11, "SCTP_EVENTS"},
    {12, "SCTP_I_WANT_MAPPED_V4_ADDR"}, {13, "SCTP_MAXSEG"}, {14, "SCTP_STATUS"}, {15, "SCTP_GET_PEER_ADDR_INFO"},
    {16, "SCTP_DELAYED_SACK"}, {17, "SCTP_CONTEXT"}, {18, "SCTP_FRAGMENT_INTERLEAVE"},
    {19, "SCTP_PARTIAL_DELIVERY_POINT"}, {20, "SCTP_MAX_BURST"}, {21, "SCTP_AUTH_CHUNK"}, {22, "SCTP_HMAC_IDENT"},
    {23, "SCTP_AUTH_KEY"}, {24, "SCTP_AUTH_ACTIVE_KEY"}, {25, "SCTP_AUTH_DELETE_KEY"}, {26, "SCTP_PEER_AUTH_CHUNKS"},
    {27, "SCTP_LOCAL_AUTH_CHUNKS"}, {28, "SCTP_GET_ASSOC_NUMBER"}, {29, "SCTP_GET_ASSOC_ID_LIST"},
    {30, "SCTP_AUTO_ASCONF"}, {31, "SCTP_PEER_ADDR_THLDS"}, {32, "SCTP_RECVRCVINFO"}, {33, "SCTP_RECVNXTINFO"},
    {34, "SCTP_DEFAULT_SNDINFO"}, {35, "SCTP_AUTH_DEACTIVATE_KEY"}, {36, "SCTP_REUSE_PORT"},
    {37, "SCTP_PEER_ADDR_THLDS_V2"}, {100, "SCTP_SOCKOPT_BINDX_ADD"}, {101, "SCTP_SOCKOPT_BINDX_REM"},
    {102, "SCTP_SOCKOPT_PEELOFF"}, {103, "SCTP_GET_PEER_ADDRS_NUM_OLD"}, {104, "SCTP_GET_PEER_ADDRS_OLD"},
    {105, "SCTP_GET_LOCAL_ADDRS_NUM_OLD"}, {106, "SCTP_GET_LOCAL_ADDRS_OLD"}, {107, "SCTP_SOCKOPT_CONNECTX_OLD"},
    {108, "SCTP_GET_PEER_ADDRS"}, {109, "SCTP_GET_LOCAL_ADDRS"}, {110, "SCTP_SOCKOPT_CONNECTX"},
    {111, "SCTP_SOCKOPT_CONNECTX3"}, {112, "SCTP_GET_ASSOC_STATS"}, {113, "SCTP_PR_SUPPORTED"},
    {114, "SCTP_DEFAULT_PRINFO"}, {115, "SCTP_PR_ASSOC_STATUS"}, {116, "SCTP_PR_STREAM_STATUS"},
    {117, "SCTP_RECONFIG_SUPPORTED"}, {118, "SCTP_ENABLE_STREAM_RESET"}, {119, "SCTP_RESET_STREAMS"},
    {120, "SCTP_RESET_ASSOC"}, {121, "SCTP_ADD_STREAMS"}, {122, "SCTP_SOCKOPT_PEELOFF_FLAGS"},
    {123, "SCTP_STREAM_SCHEDULER"}, {124, "SCTP_STREAM_SCHEDULER_VALUE"}, {125, "SCTP_INTERLEAVING_SUPPORTED"},
    {126, "SCTP_SENDMSG_CONNECT"}, {127, "SCTP_EVENT"}, {128, "SCTP_ASCONF_SUPPORTED"}, {129, "SCTP_AUTH_SUPPORTED"},
    {130, "SCTP_ECN_SUPPORTED"}, {131, "SCTP_EXPOSE_POTENTIALLY_FAILED_STATE"}, {132, "SCTP_REMOTE_UDP_ENCAPS_PORT"},
    {133, "SCTP_PLPMTUD_PROBE_INTERVAL"},
};
constexpr Constant kRawOptionNames[] = {
    {1, "ICMP_FILTER"},
};
constexpr Constant kIpxOptionNames[] = {
    {1, "IPX_TYPE"},
};
constexpr Constant kAx25OptionNames[] = {
    {1, "AX25_WINDOW"}, {2, "AX25_T1"}, {3, "AX25_N2"}, {4, "AX25_T3"}, {5, "AX25_T2"}, {6, "AX25_BACKOFF"},
    {7, "AX25_EXTSEQ"}, {8, "AX25_PIDINCL"}, {9, "AX25_IDLE"}, {10, "AX25_PACLEN"}, {12, "AX25_IAMDIGI"},
    {25, "SO_BINDTODEVICE"},
};
constexpr Constant kPacketOptionNames[] = {
    {1, "PACKET_ADD_MEMBERSHIP"}, {2, "PACKET_DROP_MEMBERSHIP"}, {3, "PACKET_RECV_OUTPUT"}, {5, "PACKET_RX_RING"},
    {6, "PACKET_STATISTICS"}, {7, "PACKET_COPY_THRESH"}, {8, "PACKET_AUXDATA"}, {9, "PACKET_ORIGDEV"},
    {10, "PACKET_VERSION"}, {11, "PACKET_HDRLEN"}, {12, "PACKET_RESERVE"}, {13, "PACKET_TX_RING"},
    {14, "PACKET_LOSS"}, {15, "PACKET_VNET_HDR"}, {16, "PACKET_TX_TIMESTAMP"}, {17, "PACKET_TIMESTAMP"},
    {18, "PACKET_FANOUT"}, {19, "PACKET_TX_HAS_OFF"}, {20, "PACKET_QDISC_BYPASS"}, {21, "PACKET_ROLLOVER_STATS"},
    {22, "PACKET_FANOUT_DATA"}, {23, "PACKET_IGNORE_OUTGOING"}, {24, "PACKET_VNET_HDR_SZ"},
};
constexpr Constant kIrlmpOptionNames[] = {
    {1, "IRLMP_ENUMDEVICES"}, {2, "IRLMP_IAS_SET"}, {3, "IRLMP_IAS_QUERY"}, {4, "IRLMP_HINTS_SET"},
    {5, "IRLMP_QOS_SET"}, {6, "IRLMP_QOS_GET"}, {7, "IRLMP_MAX_SDU_SIZE"}, {8, "IRLMP_IAS_GET"}, {9, "IRLMP_IAS_DEL"},
    {10, "IRLMP_HINT_MASK_SET"}, {11, "IRLMP_WAITDEVICE"},
};
constexpr Constant kLlcOptionNames[] = {
    {0, "LLC_OPT_UNKNOWN"}, {1, "LLC_OPT_RETRY"}, {2, "LLC_OPT_SIZE"}, {3, "LLC_OPT_ACK_TMR_EXP"},
    {4, "LLC_OPT_P_TMR_EXP"}, {5, "LLC_OPT_REJ_TMR_EXP"}, {6, "LLC_OPT_BUSY_TMR_EXP"}, {7, "LLC_OPT_TX_WIN"},
    {8, "LLC_OPT_RX_WIN"}, {9, "LLC_OPT_PKTINFO"},
};
constexpr Constant kDccpOptionNames[] = {
    {1, "DCCP_SOCKOPT_PACKET_SIZE"}, {2, "DCCP_SOCKOPT_SERVICE"}, {3, "DCCP_SOCKOPT_CHANGE_L"},
    {4, "DCCP_SOCKOPT_CHANGE_R"}, {5, "DCCP_SOCKOPT_GET_CUR_MPS"}, {6, "DCCP_SOCKOPT_SERVER_TIMEWAIT"},
    {10, "DCCP_SOCKOPT_SEND_CSCOV"}, {11, "DCCP_SOCKOPT_RECV_CSCOV"}, {12, "DCCP_SOCKOPT_AVAILABLE_CCIDS"},
    {13, "DCCP_SOCKOPT_CCID"}, {14, "DCCP_SOCKOPT_TX_CCID"}, {15, "DCCP_SOCKOPT_RX_CCID"},
    {16, "DCCP_SOCKOPT_QPOLICY_ID"}, {17, "DCCP_SOCKOPT_QPOLICY_TXQLEN"}, {128, "DCCP_SOCKOPT_CCID_RX_INFO"},
    {192, "DCCP_SOCKOPT_CCID_TX_INFO"},
};
constexpr Constant kNetlinkOptionNames[] = {
    {1, "NETLINK_ADD_MEMBERSHIP"}, {2, "NETLINK_DROP_MEMBERSHIP"}, {3, "NETLINK_PKTINFO"},
    {4, "NETLINK_BROADCAST_ERROR"}, {5, "NETLINK_NO_ENOBUFS"}, {6, "NETLINK_RX_RING"}, {7, "NETLINK_TX_RING"},
    {8, "NETLINK_LISTEN_ALL_NSID"}, {9, "NETLINK_LIST_MEMBERSHIPS"}, {10, "NETLINK_CAP_ACK"}, {11, "NETLINK_EXT_ACK"},
    {12, "NETLINK_GET_STRICT_CHK"},
};
constexpr Constant kTipcOptionNames[] = {
    {127, "TIPC_IMPORTANCE"}, {128, "TIPC_SRC_DROPPABLE"}, {129, "TIPC_DEST_DROPPABLE"}, {130, "TIPC_CONN_TIMEOUT"},
    {131, "TIPC_NODE_RECVQ_DEPTH"}, {132, "TIPC_SOCK_RECVQ_DEPTH"}, {133, "TIPC_MCAST_BROADCAST"},
    {134, "TIPC_MCAST_REPLICAST"}, {135, "TIPC_GROUP_JOIN"}, {136, "TIPC_GROUP_LEAVE"}, {137, "TIPC_SOCK_RECVQ_USED"},
    {138, "TIPC_NODELAY"},
};
constexpr Constant kRxrpcOptionNames[] = {
    {1, "RXRPC_SECURITY_KEY"}, {2, "RXRPC_SECURITY_KEYRING"}, {3, "RXRPC_EXCLUSIVE_CONNECTION"},
    {4, "RXRPC_MIN_SECURITY_LEVEL"}, {5, "RXRPC_UPGRADEABLE_SERVICE"}, {6, "RXRPC_SUPPORTED_CMSG"},
    {7, "RXRPC_MANAGE_RESPONSE"},
};
constexpr Constant kPppol2tpOptionNames[] = {
    {1, "PPPOL2TP_SO_DEBUG"}, {2, "PPPOL2TP_SO_RECVSEQ"}, {3, "PPPOL2TP_SO_SENDSEQ"}, {4, "PPPOL2TP_SO_LNSMODE"},
    {5, "PPPOL2TP_SO_REORDERTO"},
};
constexpr Constant kBluetoothOptionNames[] = {
    {4, "BT_SECURITY"}, {7, "BT_DEFER_SETUP"}, {8, "BT_FLUSHABLE"}, {9, "BT_POWER"}, {10, "BT_CHANNEL_POLICY"},
    {11, "BT_VOICE"}, {12, "BT_SNDMTU"}, {13, "BT_RCVMTU"},
};
constexpr Constant kPnPipeOptionNames[] = {
    {1, "PNPIPE_ENCAP"}, {2, "PNPIPE_IFINDEX"}, {3, "PNPIPE_HANDLE"}, {4, "PNPIPE_INITSTATE"},
};
constexpr Constant kRdsOptionNames[] = {
    {1, "RDS_CANCEL_SENT_TO"}, {2, "RDS_GET_MR"}, {3, "RDS_FREE_MR"}, {4, "RDS_BARRIER"}, {5, "RDS_RECVERR"},
    {6, "RDS_CONG_MONITOR"}, {7, "RDS_GET_MR_FOR_DEST"}, {8, "SO_RDS_TRANSPORT"}, {10, "SO_RDS_MSG_RXPATH_LATENCY"},
    {29, "SO_TIMESTAMP_OLD"},
};
constexpr Constant kIucvOptionNames[] = {
    {128, "SO_IPRMDATA_MSG"},
};
constexpr Constant kCaifOptionNames[] = {
    {127, "CAIFSO_LINK_SELECT"}, {128, "CAIFSO_REQ_PARAM"}, {129, "CAIFSO_RSP_PARAM"},
};
constexpr Constant kAlgOptionNames[] = {
    {1, "ALG_SET_KEY"}, {2, "ALG_SET_IV"}, {3, "ALG_SET_OP"}, {4, "ALG_SET_AEAD_ASSOCLEN"},
    {5, "ALG_SET_AEAD_AUTHSIZE"}, {6, "ALG_SET_DRBG_ENTROPY"}, {7, "ALG_SET_KEY_BY_KEY_SERIAL"},
};
constexpr Constant kNfcLlcpOptionNames[] = {
    {0, "NFC_LLCP_RW"}, {1, "NFC_LLCP_MIUX"}, {2, "NFC_LLCP_REMOTE_MIU"}, {3, "NFC_LLCP_REMOTE_LTO"},
    {4, "NFC_LLCP_REMOTE_RW"},
};
constexpr Constant kKcmOptionNames[] = {
    {1, "KCM_RECV_DISABLE"},
};
constexpr Constant kTlsOptionNames[] = {
    {1, "TLS_TX"}, {2, "TLS_RX"}, {3, "TLS_TX_ZEROCOPY_RO"}, {4, "TLS_RX_EXPECT_NO_PAD"},
    {5, "TLS_TX_MAX_PAYLOAD_LEN"},
};
constexpr Constant kXdpOptionNames[] = {
    {1, "XDP_MMAP_OFFSETS"}, {2, "XDP_RX_RING"}, {3, "XDP_TX_RING"}, {4, "XDP_UMEM_REG"}, {5, "XDP_UMEM_FILL_RING"},
    {6, "XDP_UMEM_COMPLETION_RING"}, {7, "XDP_STATISTICS"}, {8, "XDP_OPTIONS"}, {9, "XDP_MAX_TX_SKB_BUDGET"},
};

constinit const ConstantSet kIpSets = enumeration("IP_???", kIpSetNames);
constinit const ConstantSet kIpGets = enumeration("IP_???", kIpGetNames);
constinit const ConstantSet kSocketSets = enumeration("SO_???", kSocketSetNames);
constinit const ConstantSet kSocketGets = enumeration("SO_???", kSocketGetNames);
constinit const ConstantSet kTcpOptions = enumeration("TCP_???", kTcpOptionNames);
constinit const ConstantSet kUdpOptions = enumeration("UDP_???", kUdpOptionNames);
constinit const ConstantSet kVmSocketsOptions = enumeration("SO_VM_SOCKETS_???", kVmSocketsOptionNames);
constinit const ConstantSet kIpv6Sets = enumeration("IPV6_???", kIpv6SetNames);
constinit const ConstantSet kIpv6Gets = enumeration("IPV6_???", kIpv6GetNames);
constinit const ConstantSet kCanRawOptions = enumeration("CAN_RAW_???", kCanRawOptionNames);
constinit const ConstantSet kSctpOptions = enumeration("SCTP_???", kSctpOptionNames);
constinit const ConstantSet kRawOptions = enumeration("RAW_???", kRawOptionNames);
constinit const ConstantSet kIpxOptions = enumeration("IPX_???", kIpxOptionNames);
constinit const ConstantSet kAx25Options = enumeration("AX25_???", kAx25OptionNames);
constinit const ConstantSet kPacketOptions = enumeration("PACKET_???", kPacketOptionNames);
constinit const ConstantSet kIrlmpOptions = enumeration("IRLMP_???", kIrlmpOptionNames);
constinit const ConstantSet kLlcOptions = enumeration("LLC_OPT_???", kLlcOptionNames);
constinit const ConstantSet kDccpOptions = enumeration("DCCP_SOCKOPT_???", kDccpOptionNames);
constinit const ConstantSet kNetlinkOptions = enumeration("NETLINK_???", kNetlinkOptionNames);
constinit const ConstantSet kTipcOptions = enumeration("TIPC_???", kTipcOptionNames);
constinit const ConstantSet kRxrpcOptions = enumeration("RXRPC_???", kRxrpcOptionNames);
constinit const ConstantSet kPppol2tpOptions = enumeration("PPPOL2TP_SO_???", kPppol2tpOptionNames);
constinit const ConstantSet kBluetoothOptions = enumeration("BT_???", kBluetoothOptionNames);
constinit const ConstantSet kPnPipeOptions = enumeration("PNPIPE_???", kPnPipeOptionNames);
constinit const ConstantSet kRdsOptions = enumeration("RDS_???", kRdsOptionNames);
constinit const ConstantSet kIucvOptions = enumeration("SO_???", kIucvOptionNames);
constinit const ConstantSet kCaifOptions = enumeration("CAIFSO_???", kCaifOptionNames);
constinit const ConstantSet kAlgOptions = enumeration("ALG_SET_???", kAlgOptionNames);
constinit const ConstantSet kNfcLlcpOptions = enumeration("NFC_LLCP_???", kNfcLlcpOptionNames);
constinit const ConstantSet kKcmOptions = enumeration("KCM_???", kKcmOptionNames);
constinit const ConstantSet kTlsOptions = enumeration("TLS_???", kTlsOptionNames);
constinit const ConstantSet kXdpOptions = enumeration("XDP_???", kXdpOptionNames);

struct Level {
  uint32_t level;
  const ConstantSet* set;
  const ConstantSet* got;
};
constexpr Level kLevels[] = {
    {0, &kIpSets, &kIpGets},
    {1, &kSocketSets, &kSocketGets},
    {6, &kTcpOptions, &kTcpOptions},
    {17, &kUdpOptions, &kUdpOptions},
    {40, &kVmSocketsOptions, &kVmSocketsOptions},
    {41, &kIpv6Sets, &kIpv6Gets},
    {101, &kCanRawOptions, &kCanRawOptions},
    {132, &kSctpOptions, &kSctpOptions},
    {255, &kRawOptions, &kRawOptions},
    {256, &kIpxOptions, &kIpxOptions},
    {257, &kAx25Options, &kAx25Options},
    {263, &kPacketOptions, &kPacketOptions},
    {266, &kIrlmpOptions, &kIrlmpOptions},
    {268, &kLlcOptions, &kLlcOptions},
    {269, &kDccpOptions, &kDccpOptions},
    {270, &kNetlinkOptions, &kNetlinkOptions},
    {271, &kTipcOptions, &kTipcOptions},
    {272, &kRxrpcOptions, &kRxrpcOptions},
    {273, &kPppol2tpOptions, &kPppol2tpOptions},
    {274, &kBluetoothOptions, &kBluetoothOptions},
    {275, &kPnPipeOptions, &kPnPipeOptions},
    {276, &kRdsOptions, &kRdsOptions},
    {277, &kIucvOptions, &kIucvOptions},
    {278, &kCaifOptions, &kCaifOptions},
    {279, &kAlgOptions, &kAlgOptions},
    {280, &kNfcLlcpOptions, &kNfcLlcpOptions},
    {281, &kKcmOptions, &kKcmOptions},
    {282, &kTlsOptions, &kTlsOptions},
    {283, &kXdpOptions, &kXdpOptions},
};

}  // namespace

constinit const ConstantSet kSocketLevels = enumeration("SOL_???", kSocketLevelNames);
constinit const ConstantSet kSocketOptionLevels = enumeration("SOL_??", kSocketLevelNames);

const ConstantSet* socket_option_names(uint32_t level, OptionUse use) {
  for (const Level& entry : kLevels)
    if (entry.level == level) return use == OptionUse::Set ? entry.set : entry.got;
  return nullptr;
}

}  // namespace strut
