#include "syscalls/types/netlink/sock_diag_names.hpp"

namespace strut {
namespace {

constexpr Constant kTcpStatesList[] = {
    {1, "TCP_ESTABLISHED"}, {2, "TCP_SYN_SENT"}, {3, "TCP_SYN_RECV"}, {4, "TCP_FIN_WAIT1"}, {5, "TCP_FIN_WAIT2"},
    {6, "TCP_TIME_WAIT"}, {7, "TCP_CLOSE"}, {8, "TCP_CLOSE_WAIT"}, {9, "TCP_LAST_ACK"}, {10, "TCP_LISTEN"},
    {11, "TCP_CLOSING"}, {12, "TCP_NEW_SYN_RECV"}, {13, "TCP_BOUND_INACTIVE"},
};
constexpr Constant kTcpStateBitsList[] = {
    {0x2, "1<<TCP_ESTABLISHED"}, {0x4, "1<<TCP_SYN_SENT"}, {0x8, "1<<TCP_SYN_RECV"}, {0x10, "1<<TCP_FIN_WAIT1"},
    {0x20, "1<<TCP_FIN_WAIT2"}, {0x40, "1<<TCP_TIME_WAIT"}, {0x80, "1<<TCP_CLOSE"}, {0x100, "1<<TCP_CLOSE_WAIT"},
    {0x200, "1<<TCP_LAST_ACK"}, {0x400, "1<<TCP_LISTEN"}, {0x800, "1<<TCP_CLOSING"}, {0x1000, "1<<TCP_NEW_SYN_RECV"},
    {0x2000, "1<<TCP_BOUND_INACTIVE"},
};
constexpr Constant kInetDiagExtensionsList[] = {
    {0x1, "1<<(INET_DIAG_MEMINFO-1)"}, {0x2, "1<<(INET_DIAG_INFO-1)"}, {0x4, "1<<(INET_DIAG_VEGASINFO-1)"},
    {0x8, "1<<(INET_DIAG_CONG-1)"}, {0x10, "1<<(INET_DIAG_TOS-1)"}, {0x20, "1<<(INET_DIAG_TCLASS-1)"},
    {0x40, "1<<(INET_DIAG_SKMEMINFO-1)"}, {0x80, "1<<(INET_DIAG_SHUTDOWN-1)"},
};
constexpr Constant kInetDiagAttributeNamesList[] = {
    {0, "INET_DIAG_NONE"}, {1, "INET_DIAG_MEMINFO"}, {2, "INET_DIAG_INFO"}, {3, "INET_DIAG_VEGASINFO"},
    {4, "INET_DIAG_CONG"}, {5, "INET_DIAG_TOS"}, {6, "INET_DIAG_TCLASS"}, {7, "INET_DIAG_SKMEMINFO"},
    {8, "INET_DIAG_SHUTDOWN"}, {9, "INET_DIAG_DCTCPINFO"}, {10, "INET_DIAG_PROTOCOL"}, {11, "INET_DIAG_SKV6ONLY"},
    {12, "INET_DIAG_LOCALS"}, {13, "INET_DIAG_PEERS"}, {14, "INET_DIAG_PAD"}, {15, "INET_DIAG_MARK"},
    {16, "INET_DIAG_BBRINFO"}, {17, "INET_DIAG_CLASS_ID"}, {18, "INET_DIAG_MD5SIG"}, {19, "INET_DIAG_ULP_INFO"},
    {20, "INET_DIAG_SK_BPF_STORAGES"}, {21, "INET_DIAG_CGROUP_ID"}, {22, "INET_DIAG_SOCKOPT"},
};
constexpr Constant kInetDiagRequestNamesList[] = {
    {0, "INET_DIAG_REQ_NONE"}, {1, "INET_DIAG_REQ_BYTECODE"}, {2, "INET_DIAG_REQ_SK_BPF_STORAGES"},
    {3, "INET_DIAG_REQ_PROTOCOL"},
};
constexpr Constant kInetDiagCodesList[] = {
    {0, "INET_DIAG_BC_NOP"}, {1, "INET_DIAG_BC_JMP"}, {2, "INET_DIAG_BC_S_GE"}, {3, "INET_DIAG_BC_S_LE"},
    {4, "INET_DIAG_BC_D_GE"}, {5, "INET_DIAG_BC_D_LE"}, {6, "INET_DIAG_BC_AUTO"}, {7, "INET_DIAG_BC_S_COND"},
    {8, "INET_DIAG_BC_D_COND"}, {9, "INET_DIAG_BC_DEV_COND"}, {10, "INET_DIAG_BC_MARK_COND"},
    {11, "INET_DIAG_BC_S_EQ"}, {12, "INET_DIAG_BC_D_EQ"}, {13, "INET_DIAG_BC_CGROUP_COND"},
};
constexpr Constant kShutdownFlagsList[] = {
    {0x1, "RCV_SHUTDOWN"}, {0x2, "SEND_SHUTDOWN"},
};
constexpr Constant kSocketMemoryList[] = {
    {0, "SK_MEMINFO_RMEM_ALLOC"}, {1, "SK_MEMINFO_RCVBUF"}, {2, "SK_MEMINFO_WMEM_ALLOC"}, {3, "SK_MEMINFO_SNDBUF"},
    {4, "SK_MEMINFO_FWD_ALLOC"}, {5, "SK_MEMINFO_WMEM_QUEUED"}, {6, "SK_MEMINFO_OPTMEM"}, {7, "SK_MEMINFO_BACKLOG"},
    {8, "SK_MEMINFO_DROPS"},
};
constexpr Constant kUlpAttributeNamesList[] = {
    {0, "INET_ULP_INFO_UNSPEC"}, {1, "INET_ULP_INFO_NAME"}, {2, "INET_ULP_INFO_TLS"}, {3, "INET_ULP_INFO_MPTCP"},
};
constexpr Constant kTlsAttributeNamesList[] = {
    {0, "TLS_INFO_UNSPEC"}, {1, "TLS_INFO_VERSION"}, {2, "TLS_INFO_CIPHER"}, {3, "TLS_INFO_TXCONF"},
    {4, "TLS_INFO_RXCONF"}, {5, "TLS_INFO_ZC_RO_TX"}, {6, "TLS_INFO_RX_NO_PAD"}, {7, "TLS_INFO_TX_MAX_PAYLOAD_LEN"},
};
constexpr Constant kTlsVersionsList[] = {
    {771, "TLS_1_2_VERSION"}, {772, "TLS_1_3_VERSION"},
};
constexpr Constant kTlsCiphersList[] = {
    {51, "TLS_CIPHER_AES_GCM_128"}, {52, "TLS_CIPHER_AES_GCM_256"}, {53, "TLS_CIPHER_AES_CCM_128"},
    {54, "TLS_CIPHER_CHACHA20_POLY1305"}, {55, "TLS_CIPHER_SM4_GCM"}, {56, "TLS_CIPHER_SM4_CCM"},
    {57, "TLS_CIPHER_ARIA_GCM_128"}, {58, "TLS_CIPHER_ARIA_GCM_256"},
};
constexpr Constant kTlsConfigurationsList[] = {
    {1, "TLS_CONF_BASE"}, {2, "TLS_CONF_SW"}, {3, "TLS_CONF_HW"}, {4, "TLS_CONF_HW_RECORD"},
};
constexpr Constant kSubflowAttributeNamesList[] = {
    {0, "MPTCP_SUBFLOW_ATTR_UNSPEC"}, {1, "MPTCP_SUBFLOW_ATTR_TOKEN_REM"}, {2, "MPTCP_SUBFLOW_ATTR_TOKEN_LOC"},
    {3, "MPTCP_SUBFLOW_ATTR_RELWRITE_SEQ"}, {4, "MPTCP_SUBFLOW_ATTR_MAP_SEQ"}, {5, "MPTCP_SUBFLOW_ATTR_MAP_SFSEQ"},
    {6, "MPTCP_SUBFLOW_ATTR_SSN_OFFSET"}, {7, "MPTCP_SUBFLOW_ATTR_MAP_DATALEN"}, {8, "MPTCP_SUBFLOW_ATTR_FLAGS"},
    {9, "MPTCP_SUBFLOW_ATTR_ID_REM"}, {10, "MPTCP_SUBFLOW_ATTR_ID_LOC"}, {11, "MPTCP_SUBFLOW_ATTR_PAD"},
};
constexpr Constant kSubflowFlagsList[] = {
    {0x1, "MPTCP_SUBFLOW_FLAG_MCAP_REM"}, {0x2, "MPTCP_SUBFLOW_FLAG_MCAP_LOC"}, {0x4, "MPTCP_SUBFLOW_FLAG_JOIN_REM"},
    {0x8, "MPTCP_SUBFLOW_FLAG_JOIN_LOC"}, {0x10, "MPTCP_SUBFLOW_FLAG_BKUP_REM"}, {0x20, "MPTCP_SUBFLOW_FLAG_BKUP_LOC"},
    {0x40, "MPTCP_SUBFLOW_FLAG_FULLY_ESTABLISHED"}, {0x80, "MPTCP_SUBFLOW_FLAG_CONNECTED"},
    {0x100, "MPTCP_SUBFLOW_FLAG_MAPVALID"},
};
constexpr Constant kStorageListNamesList[] = {
    {0, "SK_DIAG_BPF_STORAGE_REP_NONE"}, {1, "SK_DIAG_BPF_STORAGE"},
};
constexpr Constant kStorageNamesList[] = {
    {0, "SK_DIAG_BPF_STORAGE_NONE"}, {1, "SK_DIAG_BPF_STORAGE_PAD"}, {2, "SK_DIAG_BPF_STORAGE_MAP_ID"},
    {3, "SK_DIAG_BPF_STORAGE_MAP_VALUE"},
};
constexpr Constant kUnixDiagAttributeNamesList[] = {
    {0, "UNIX_DIAG_NAME"}, {1, "UNIX_DIAG_VFS"}, {2, "UNIX_DIAG_PEER"}, {3, "UNIX_DIAG_ICONS"}, {4, "UNIX_DIAG_RQLEN"},
    {5, "UNIX_DIAG_MEMINFO"}, {6, "UNIX_DIAG_SHUTDOWN"}, {7, "UNIX_DIAG_UID"},
};
constexpr Constant kUnixDiagShowList[] = {
    {0x1, "UDIAG_SHOW_NAME"}, {0x2, "UDIAG_SHOW_VFS"}, {0x4, "UDIAG_SHOW_PEER"}, {0x8, "UDIAG_SHOW_ICONS"},
    {0x10, "UDIAG_SHOW_RQLEN"}, {0x20, "UDIAG_SHOW_MEMINFO"}, {0x40, "UDIAG_SHOW_UID"},
};
constexpr Constant kNetlinkDiagAttributeNamesList[] = {
    {0, "NETLINK_DIAG_MEMINFO"}, {1, "NETLINK_DIAG_GROUPS"}, {2, "NETLINK_DIAG_RX_RING"}, {3, "NETLINK_DIAG_TX_RING"},
    {4, "NETLINK_DIAG_FLAGS"},
};
constexpr Constant kNetlinkDiagShowList[] = {
    {0x1, "NDIAG_SHOW_MEMINFO"}, {0x2, "NDIAG_SHOW_GROUPS"}, {0x4, "NDIAG_SHOW_RING_CFG"}, {0x8, "NDIAG_SHOW_FLAGS"},
};
constexpr Constant kNetlinkDiagProtocolsList[] = {
    {0, "NETLINK_ROUTE"}, {1, "NETLINK_UNUSED"}, {2, "NETLINK_USERSOCK"}, {3, "NETLINK_FIREWALL"},
    {4, "NETLINK_SOCK_DIAG"}, {5, "NETLINK_NFLOG"}, {6, "NETLINK_XFRM"}, {7, "NETLINK_SELINUX"}, {8, "NETLINK_ISCSI"},
    {9, "NETLINK_AUDIT"}, {10, "NETLINK_FIB_LOOKUP"}, {11, "NETLINK_CONNECTOR"}, {12, "NETLINK_NETFILTER"},
    {13, "NETLINK_IP6_FW"}, {14, "NETLINK_DNRTMSG"}, {15, "NETLINK_KOBJECT_UEVENT"}, {16, "NETLINK_GENERIC"},
    {18, "NETLINK_SCSITRANSPORT"}, {19, "NETLINK_ECRYPTFS"}, {20, "NETLINK_RDMA"}, {21, "NETLINK_CRYPTO"},
    {22, "NETLINK_SMC"}, {255, "NDIAG_PROTO_ALL"},
};
constexpr Constant kNetlinkDiagFlagsList[] = {
    {0x1, "NDIAG_FLAG_CB_RUNNING"}, {0x2, "NDIAG_FLAG_PKTINFO"}, {0x4, "NDIAG_FLAG_BROADCAST_ERROR"},
    {0x8, "NDIAG_FLAG_NO_ENOBUFS"}, {0x10, "NDIAG_FLAG_LISTEN_ALL_NSID"}, {0x20, "NDIAG_FLAG_CAP_ACK"},
};
constexpr Constant kNetlinkStatesList[] = {
    {0, "NETLINK_UNCONNECTED"}, {1, "NETLINK_CONNECTED"}, {7, "TCP_CLOSE"},
};
constexpr Constant kPacketDiagAttributeNamesList[] = {
    {0, "PACKET_DIAG_INFO"}, {1, "PACKET_DIAG_MCLIST"}, {2, "PACKET_DIAG_RX_RING"}, {3, "PACKET_DIAG_TX_RING"},
    {4, "PACKET_DIAG_FANOUT"}, {5, "PACKET_DIAG_UID"}, {6, "PACKET_DIAG_MEMINFO"}, {7, "PACKET_DIAG_FILTER"},
};
constexpr Constant kPacketDiagShowList[] = {
    {0x1, "PACKET_SHOW_INFO"}, {0x2, "PACKET_SHOW_MCLIST"}, {0x4, "PACKET_SHOW_RING_CFG"}, {0x8, "PACKET_SHOW_FANOUT"},
    {0x10, "PACKET_SHOW_MEMINFO"}, {0x20, "PACKET_SHOW_FILTER"},
};
constexpr Constant kPacketDiagFlagsList[] = {
    {0x1, "PDI_RUNNING"}, {0x2, "PDI_AUXDATA"}, {0x4, "PDI_ORIGDEV"}, {0x8, "PDI_VNETHDR"}, {0x10, "PDI_LOSS"},
};
constexpr Constant kPacketVersionsList[] = {
    {0, "TPACKET_V1"}, {1, "TPACKET_V2"}, {2, "TPACKET_V3"},
};
constexpr Constant kSmcDiagAttributeNamesList[] = {
    {0, "SMC_DIAG_NONE"}, {1, "SMC_DIAG_CONNINFO"}, {2, "SMC_DIAG_LGRINFO"}, {3, "SMC_DIAG_SHUTDOWN"},
    {4, "SMC_DIAG_DMBINFO"}, {5, "SMC_DIAG_FALLBACK"},
};
constexpr Constant kSmcDiagExtensionsList[] = {
    {0x1, "1<<(SMC_DIAG_CONNINFO-1)"}, {0x2, "1<<(SMC_DIAG_LGRINFO-1)"},
};
constexpr Constant kSmcStatesList[] = {
    {1, "SMC_ACTIVE"}, {2, "SMC_INIT"}, {7, "SMC_CLOSED"}, {10, "SMC_LISTEN"}, {20, "SMC_PEERCLOSEWAIT1"},
    {21, "SMC_PEERCLOSEWAIT2"}, {22, "SMC_APPCLOSEWAIT1"}, {23, "SMC_APPCLOSEWAIT2"}, {24, "SMC_APPFINCLOSEWAIT"},
    {25, "SMC_PEERFINCLOSEWAIT"}, {26, "SMC_PEERABORTWAIT"}, {27, "SMC_PROCESSABORT"},
};
constexpr Constant kSmcModesList[] = {
    {0, "SMC_DIAG_MODE_SMCR"}, {1, "SMC_DIAG_MODE_FALLBACK_TCP"}, {2, "SMC_DIAG_MODE_SMCD"},
};
constexpr Constant kSmcRolesList[] = {
    {0, "SMC_CLNT"}, {1, "SMC_SERV"},
};
constexpr Constant kSmcDeclinesList[] = {
    {0x1010000, "SMC_CLC_DECL_MEM"}, {0x2010000, "SMC_CLC_DECL_TIMEOUT_CL"}, {0x2020000, "SMC_CLC_DECL_TIMEOUT_AL"},
    {0x3000000, "SMC_CLC_DECL_CNFERR"}, {0x3010000, "SMC_CLC_DECL_PEERNOSMC"}, {0x3020000, "SMC_CLC_DECL_IPSEC"},
    {0x3030000, "SMC_CLC_DECL_NOSMCDEV"}, {0x3040000, "SMC_CLC_DECL_MODEUNSUPP"}, {0x3050000, "SMC_CLC_DECL_RMBE_EC"},
    {0x3060000, "SMC_CLC_DECL_OPTUNSUPP"}, {0x4000000, "SMC_CLC_DECL_SYNCERR"}, {0x5000000, "SMC_CLC_DECL_PEERDECL"},
};

}  // namespace

constinit const ConstantSet kTcpStates = enumeration("TCP_???", kTcpStatesList);
constinit const ConstantSet kTcpStateBits = flag_set("1<<TCP_???", kTcpStateBitsList);
constinit const ConstantSet kInetDiagExtensions = flag_set("1<<INET_DIAG_??" "?-1", kInetDiagExtensionsList);
constinit const ConstantSet kInetDiagAttributeNames = enumeration("INET_DIAG_???", kInetDiagAttributeNamesList);
constinit const ConstantSet kInetDiagRequestNames = enumeration("INET_DIAG_REQ_???", kInetDiagRequestNamesList);
constinit const ConstantSet kInetDiagCodes = enumeration("INET_DIAG_BC_???", kInetDiagCodesList);
constinit const ConstantSet kShutdownFlags = flag_set("???_SHUTDOWN", kShutdownFlagsList);
constinit const ConstantSet kSocketMemory = enumeration("SK_MEMINFO_???", kSocketMemoryList, NumberBase::Decimal);
constinit const ConstantSet kUlpAttributeNames = enumeration("INET_ULP_INFO_???", kUlpAttributeNamesList);
constinit const ConstantSet kTlsAttributeNames = enumeration("TLS_INFO_???", kTlsAttributeNamesList);
constinit const ConstantSet kTlsVersions = enumeration("TLS_???_VERSION", kTlsVersionsList);
constinit const ConstantSet kTlsCiphers = enumeration("TLS_CIPHER_???", kTlsCiphersList);
constinit const ConstantSet kTlsConfigurations = enumeration("TLS_CONF_???", kTlsConfigurationsList);
constinit const ConstantSet kSubflowAttributeNames = enumeration("MPTCP_SUBFLOW_ATTR_???", kSubflowAttributeNamesList);
constinit const ConstantSet kSubflowFlags = flag_set("MPTCP_SUBFLOW_FLAG_???", kSubflowFlagsList);
constinit const ConstantSet kStorageListNames = enumeration("SK_DIAG_BPF_STORAGE_???", kStorageListNamesList);
constinit const ConstantSet kStorageNames = enumeration("SK_DIAG_BPF_STORAGE_???", kStorageNamesList);
constinit const ConstantSet kUnixDiagAttributeNames = enumeration("UNIX_DIAG_???", kUnixDiagAttributeNamesList);
constinit const ConstantSet kUnixDiagShow = flag_set("UDIAG_SHOW_???", kUnixDiagShowList);
constinit const ConstantSet kNetlinkDiagAttributeNames =
    enumeration("NETLINK_DIAG_???", kNetlinkDiagAttributeNamesList);
constinit const ConstantSet kNetlinkDiagShow = flag_set("NDIAG_SHOW_???", kNetlinkDiagShowList);
constinit const ConstantSet kNetlinkDiagProtocols = enumeration("NETLINK_???", kNetlinkDiagProtocolsList);
constinit const ConstantSet kNetlinkDiagFlags = flag_set("NDIAG_FLAG_???", kNetlinkDiagFlagsList);
constinit const ConstantSet kNetlinkStates = enumeration("NETLINK_???", kNetlinkStatesList);
constinit const ConstantSet kPacketDiagAttributeNames = enumeration("PACKET_DIAG_???", kPacketDiagAttributeNamesList);
constinit const ConstantSet kPacketDiagShow = flag_set("PACKET_SHOW_???", kPacketDiagShowList);
constinit const ConstantSet kPacketDiagFlags = flag_set("PDI_???", kPacketDiagFlagsList);
constinit const ConstantSet kPacketVersions = enumeration("TPACKET_???", kPacketVersionsList);
constinit const ConstantSet kSmcDiagAttributeNames = enumeration("SMC_DIAG_???", kSmcDiagAttributeNamesList);
constinit const ConstantSet kSmcDiagExtensions = flag_set("1<<SMC_DIAG_??" "?-1", kSmcDiagExtensionsList);
constinit const ConstantSet kSmcStates = enumeration("SMC_???", kSmcStatesList);
constinit const ConstantSet kSmcModes = enumeration("SMC_DIAG_MODE_???", kSmcModesList);
constinit const ConstantSet kSmcRoles = enumeration("SMC_???", kSmcRolesList);
constinit const ConstantSet kSmcDeclines = enumeration("SMC_CLC_DECL_???", kSmcDeclinesList);

}  // namespace strut
