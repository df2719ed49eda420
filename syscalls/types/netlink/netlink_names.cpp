#include "syscalls/types/netlink/netlink_names.hpp"

#include "syscalls/types/netlink/netfilter.hpp"

namespace strut {
namespace {

// <linux/netlink.h>
constexpr Constant kControlNames[] = {{1, "NLMSG_NOOP"}, {2, "NLMSG_ERROR"}, {3, "NLMSG_DONE"}, {4, "NLMSG_OVERRUN"}};
// <linux/rtnetlink.h>
constexpr Constant kRouteNames[] = {
    {16, "RTM_NEWLINK"}, {17, "RTM_DELLINK"}, {18, "RTM_GETLINK"}, {19, "RTM_SETLINK"}, {20, "RTM_NEWADDR"},
    {21, "RTM_DELADDR"}, {22, "RTM_GETADDR"}, {24, "RTM_NEWROUTE"}, {25, "RTM_DELROUTE"}, {26, "RTM_GETROUTE"},
    {28, "RTM_NEWNEIGH"}, {29, "RTM_DELNEIGH"}, {30, "RTM_GETNEIGH"}, {32, "RTM_NEWRULE"}, {33, "RTM_DELRULE"},
    {34, "RTM_GETRULE"}, {36, "RTM_NEWQDISC"}, {37, "RTM_DELQDISC"}, {38, "RTM_GETQDISC"}, {40, "RTM_NEWTCLASS"},
    {41, "RTM_DELTCLASS"}, {42, "RTM_GETTCLASS"}, {44, "RTM_NEWTFILTER"}, {45, "RTM_DELTFILTER"},
    {46, "RTM_GETTFILTER"}, {48, "RTM_NEWACTION"}, {49, "RTM_DELACTION"}, {50, "RTM_GETACTION"},
    {52, "RTM_NEWPREFIX"}, {56, "RTM_NEWMULTICAST"}, {57, "RTM_DELMULTICAST"}, {58, "RTM_GETMULTICAST"},
    {60, "RTM_NEWANYCAST"}, {61, "RTM_DELANYCAST"}, {62, "RTM_GETANYCAST"}, {64, "RTM_NEWNEIGHTBL"},
    {66, "RTM_GETNEIGHTBL"}, {67, "RTM_SETNEIGHTBL"}, {68, "RTM_NEWNDUSEROPT"}, {72, "RTM_NEWADDRLABEL"},
    {73, "RTM_DELADDRLABEL"}, {74, "RTM_GETADDRLABEL"}, {78, "RTM_GETDCB"}, {79, "RTM_SETDCB"},
    {80, "RTM_NEWNETCONF"}, {81, "RTM_DELNETCONF"}, {82, "RTM_GETNETCONF"}, {84, "RTM_NEWMDB"}, {85, "RTM_DELMDB"},
    {86, "RTM_GETMDB"}, {88, "RTM_NEWNSID"}, {89, "RTM_DELNSID"}, {90, "RTM_GETNSID"}, {92, "RTM_NEWSTATS"},
    {94, "RTM_GETSTATS"}, {96, "RTM_NEWCACHEREPORT"}, {100, "RTM_NEWCHAIN"}, {101, "RTM_DELCHAIN"},
    {102, "RTM_GETCHAIN"}, {104, "RTM_NEWNEXTHOP"}, {105, "RTM_DELNEXTHOP"}, {106, "RTM_GETNEXTHOP"},
    {108, "RTM_NEWLINKPROP"}, {109, "RTM_DELLINKPROP"}, {110, "RTM_GETLINKPROP"}, {112, "RTM_NEWVLAN"},
    {113, "RTM_DELVLAN"}, {114, "RTM_GETVLAN"}, {116, "RTM_NEWNEXTHOPBUCKET"}, {117, "RTM_DELNEXTHOPBUCKET"},
    {118, "RTM_GETNEXTHOPBUCKET"},
};
// <linux/sock_diag.h>, <linux/inet_diag.h>
constexpr Constant kSockDiagNames[] = {
    {18, "TCPDIAG_GETSOCK"}, {19, "DCCPDIAG_GETSOCK"}, {20, "SOCK_DIAG_BY_FAMILY"}, {21, "SOCK_DESTROY"},
};
// <linux/xfrm.h>
constexpr Constant kXfrmNames[] = {
    {16, "XFRM_MSG_NEWSA"}, {17, "XFRM_MSG_DELSA"}, {18, "XFRM_MSG_GETSA"}, {19, "XFRM_MSG_NEWPOLICY"},
    {20, "XFRM_MSG_DELPOLICY"}, {21, "XFRM_MSG_GETPOLICY"}, {22, "XFRM_MSG_ALLOCSPI"}, {23, "XFRM_MSG_ACQUIRE"},
    {24, "XFRM_MSG_EXPIRE"}, {25, "XFRM_MSG_UPDPOLICY"}, {26, "XFRM_MSG_UPDSA"}, {27, "XFRM_MSG_POLEXPIRE"},
    {28, "XFRM_MSG_FLUSHSA"}, {29, "XFRM_MSG_FLUSHPOLICY"}, {30, "XFRM_MSG_NEWAE"}, {31, "XFRM_MSG_GETAE"},
    {32, "XFRM_MSG_REPORT"}, {33, "XFRM_MSG_MIGRATE"}, {34, "XFRM_MSG_NEWSADINFO"}, {35, "XFRM_MSG_GETSADINFO"},
    {36, "XFRM_MSG_NEWSPDINFO"}, {37, "XFRM_MSG_GETSPDINFO"}, {38, "XFRM_MSG_MAPPING"}, {39, "XFRM_MSG_SETDEFAULT"},
    {40, "XFRM_MSG_GETDEFAULT"}, {41, "XFRM_MSG_MIGRATE_STATE"},
};
// <linux/selinux_netlink.h>
constexpr Constant kSelinuxNames[] = {
    {16, "SELNL_MSG_SETENFORCE"}, {17, "SELNL_MSG_POLICYLOAD"},
};
// <linux/audit.h>
constexpr Constant kAuditNames[] = {
    {1000, "AUDIT_GET"}, {1001, "AUDIT_SET"}, {1002, "AUDIT_LIST"}, {1003, "AUDIT_ADD"}, {1004, "AUDIT_DEL"},
    {1005, "AUDIT_USER"}, {1006, "AUDIT_LOGIN"}, {1007, "AUDIT_WATCH_INS"}, {1008, "AUDIT_WATCH_REM"},
    {1009, "AUDIT_WATCH_LIST"}, {1010, "AUDIT_SIGNAL_INFO"}, {1011, "AUDIT_ADD_RULE"}, {1012, "AUDIT_DEL_RULE"},
    {1013, "AUDIT_LIST_RULES"}, {1014, "AUDIT_TRIM"}, {1015, "AUDIT_MAKE_EQUIV"}, {1016, "AUDIT_TTY_GET"},
    {1017, "AUDIT_TTY_SET"}, {1018, "AUDIT_SET_FEATURE"}, {1019, "AUDIT_GET_FEATURE"}, {1100, "AUDIT_FIRST_USER_MSG"},
    {1107, "AUDIT_USER_AVC"}, {1124, "AUDIT_USER_TTY"}, {1199, "AUDIT_LAST_USER_MSG"}, {1200, "AUDIT_DAEMON_START"},
    {1201, "AUDIT_DAEMON_END"}, {1202, "AUDIT_DAEMON_ABORT"}, {1203, "AUDIT_DAEMON_CONFIG"}, {1300, "AUDIT_SYSCALL"},
    {1301, "AUDIT_FS_WATCH"}, {1302, "AUDIT_PATH"}, {1303, "AUDIT_IPC"}, {1304, "AUDIT_SOCKETCALL"},
    {1305, "AUDIT_CONFIG_CHANGE"}, {1306, "AUDIT_SOCKADDR"}, {1307, "AUDIT_CWD"}, {1309, "AUDIT_EXECVE"},
    {1311, "AUDIT_IPC_SET_PERM"}, {1312, "AUDIT_MQ_OPEN"}, {1313, "AUDIT_MQ_SENDRECV"}, {1314, "AUDIT_MQ_NOTIFY"},
    {1315, "AUDIT_MQ_GETSETATTR"}, {1316, "AUDIT_KERNEL_OTHER"}, {1317, "AUDIT_FD_PAIR"}, {1318, "AUDIT_OBJ_PID"},
    {1319, "AUDIT_TTY"}, {1320, "AUDIT_EOE"}, {1321, "AUDIT_BPRM_FCAPS"}, {1322, "AUDIT_CAPSET"},
    {1323, "AUDIT_MMAP"}, {1324, "AUDIT_NETFILTER_PKT"}, {1325, "AUDIT_NETFILTER_CFG"}, {1326, "AUDIT_SECCOMP"},
    {1327, "AUDIT_PROCTITLE"}, {1328, "AUDIT_FEATURE_CHANGE"}, {1329, "AUDIT_REPLACE"}, {1330, "AUDIT_KERN_MODULE"},
    {1331, "AUDIT_FANOTIFY"}, {1332, "AUDIT_TIME_INJOFFSET"}, {1333, "AUDIT_TIME_ADJNTPVAL"}, {1334, "AUDIT_BPF"},
    {1335, "AUDIT_EVENT_LISTENER"}, {1336, "AUDIT_URINGOP"}, {1337, "AUDIT_OPENAT2"}, {1338, "AUDIT_DM_CTRL"},
    {1339, "AUDIT_DM_EVENT"}, {1400, "AUDIT_AVC"}, {1401, "AUDIT_SELINUX_ERR"}, {1402, "AUDIT_AVC_PATH"},
    {1403, "AUDIT_MAC_POLICY_LOAD"}, {1404, "AUDIT_MAC_STATUS"}, {1405, "AUDIT_MAC_CONFIG_CHANGE"},
    {1406, "AUDIT_MAC_UNLBL_ALLOW"}, {1407, "AUDIT_MAC_CIPSOV4_ADD"}, {1408, "AUDIT_MAC_CIPSOV4_DEL"},
    {1409, "AUDIT_MAC_MAP_ADD"}, {1410, "AUDIT_MAC_MAP_DEL"}, {1411, "AUDIT_MAC_IPSEC_ADDSA"},
    {1412, "AUDIT_MAC_IPSEC_DELSA"}, {1413, "AUDIT_MAC_IPSEC_ADDSPD"}, {1414, "AUDIT_MAC_IPSEC_DELSPD"},
    {1415, "AUDIT_MAC_IPSEC_EVENT"}, {1416, "AUDIT_MAC_UNLBL_STCADD"}, {1417, "AUDIT_MAC_UNLBL_STCDEL"},
    {1418, "AUDIT_MAC_CALIPSO_ADD"}, {1419, "AUDIT_MAC_CALIPSO_DEL"}, {1420, "AUDIT_IPE_ACCESS"},
    {1421, "AUDIT_IPE_CONFIG_CHANGE"}, {1422, "AUDIT_IPE_POLICY_LOAD"}, {1423, "AUDIT_LANDLOCK_ACCESS"},
    {1424, "AUDIT_LANDLOCK_DOMAIN"}, {1425, "AUDIT_MAC_TASK_CONTEXTS"}, {1426, "AUDIT_MAC_OBJ_CONTEXTS"},
    {1700, "AUDIT_ANOM_PROMISCUOUS"}, {1701, "AUDIT_ANOM_ABEND"}, {1702, "AUDIT_ANOM_LINK"},
    {1703, "AUDIT_ANOM_CREAT"}, {1799, "AUDIT_LAST_KERN_ANOM_MSG"}, {1800, "AUDIT_INTEGRITY_DATA"},
    {1801, "AUDIT_INTEGRITY_METADATA"}, {1802, "AUDIT_INTEGRITY_STATUS"}, {1803, "AUDIT_INTEGRITY_HASH"},
    {1804, "AUDIT_INTEGRITY_PCR"}, {1805, "AUDIT_INTEGRITY_RULE"}, {1806, "AUDIT_INTEGRITY_EVM_XATTR"},
    {1807, "AUDIT_INTEGRITY_POLICY_RULE"}, {1808, "AUDIT_INTEGRITY_USERSPACE"}, {2000, "AUDIT_KERNEL"},
    {2100, "AUDIT_FIRST_USER_MSG2"},
};
// <linux/cryptouser.h>
constexpr Constant kCryptoNames[] = {
    {16, "CRYPTO_MSG_NEWALG"}, {17, "CRYPTO_MSG_DELALG"}, {18, "CRYPTO_MSG_UPDATEALG"}, {19, "CRYPTO_MSG_GETALG"},
    {20, "CRYPTO_MSG_DELRNG"},
};
constinit const ConstantSet kCryptoMessages = enumeration("CRYPTO_MSG_???", kCryptoNames);
constinit const ConstantSet kControlMessages = enumeration("NLMSG_???", kControlNames);
constinit const ConstantSet kRouteMessages = enumeration("RTM_???", kRouteNames);
constinit const ConstantSet kSockDiagMessages = enumeration("SOCK_DIAG_???", kSockDiagNames);
constinit const ConstantSet kXfrmMessages = enumeration("XFRM_MSG_???", kXfrmNames);
constinit const ConstantSet kSelinuxMessages = enumeration("SELNL_MSG_???", kSelinuxNames);
constinit const ConstantSet kAuditMessages = enumeration("AUDIT_???", kAuditNames);

// Flags every message may have, and those of certain kinds of messages.
constexpr Constant kPlainFlagNames[] = {
    {1, "NLM_F_REQUEST"}, {2, "NLM_F_MULTI"}, {4, "NLM_F_ACK"}, {8, "NLM_F_ECHO"}, {16, "NLM_F_DUMP_INTR"},
    {32, "NLM_F_DUMP_FILTERED"},
};
constexpr Constant kGetFlagNames[] = {
    {1, "NLM_F_REQUEST"}, {2, "NLM_F_MULTI"}, {4, "NLM_F_ACK"}, {8, "NLM_F_ECHO"}, {16, "NLM_F_DUMP_INTR"},
    {32, "NLM_F_DUMP_FILTERED"}, {0x300, "NLM_F_DUMP"}, {0x100, "NLM_F_ROOT"}, {0x200, "NLM_F_MATCH"},
    {0x400, "NLM_F_ATOMIC"},
};
constexpr Constant kNewFlagNames[] = {
    {1, "NLM_F_REQUEST"}, {2, "NLM_F_MULTI"}, {4, "NLM_F_ACK"}, {8, "NLM_F_ECHO"}, {16, "NLM_F_DUMP_INTR"},
    {32, "NLM_F_DUMP_FILTERED"}, {0x100, "NLM_F_REPLACE"}, {0x200, "NLM_F_EXCL"}, {0x400, "NLM_F_CREATE"},
    {0x800, "NLM_F_APPEND"},
};
constexpr Constant kDeleteFlagNames[] = {
    {1, "NLM_F_REQUEST"}, {2, "NLM_F_MULTI"}, {4, "NLM_F_ACK"}, {8, "NLM_F_ECHO"}, {16, "NLM_F_DUMP_INTR"},
    {32, "NLM_F_DUMP_FILTERED"}, {0x100, "NLM_F_NONREC"}, {0x200, "NLM_F_BULK"},
};
constexpr Constant kErrorFlagNames[] = {
    {1, "NLM_F_REQUEST"}, {2, "NLM_F_MULTI"}, {4, "NLM_F_ACK"}, {8, "NLM_F_ECHO"}, {16, "NLM_F_DUMP_INTR"},
    {32, "NLM_F_DUMP_FILTERED"}, {0x100, "NLM_F_CAPPED"}, {0x200, "NLM_F_ACK_TLVS"},
};
constinit const ConstantSet kPlainFlags = flag_set("NLM_F_???", kPlainFlagNames);
constinit const ConstantSet kGetFlags = flag_set("NLM_F_???", kGetFlagNames);
constinit const ConstantSet kNewFlags = flag_set("NLM_F_???", kNewFlagNames);
constinit const ConstantSet kDeleteFlags = flag_set("NLM_F_???", kDeleteFlagNames);
constinit const ConstantSet kErrorFlags = flag_set("NLM_F_???", kErrorFlagNames);

// Route messages come in fours: NEW, DEL, GET, SET; actions are asked for like things.
const ConstantSet& route_flags(uint16_t type) {
  constexpr uint16_t kDeleteAction = 49;
  if (type == kDeleteAction) return kGetFlags;
  switch (type & 3) {
    case 0: return kNewFlags;
    case 1: return kDeleteFlags;
    case 2: return kGetFlags;
    default: return kPlainFlags;
  }
}

const ConstantSet& xfrm_flags(uint16_t type) {
  switch (type) {
    case 16: case 19: case 30: case 34: case 36: return kNewFlags;
    case 17: case 20: return kDeleteFlags;
    case 18: case 21: case 31: case 35: case 37: return kGetFlags;
    default: return kPlainFlags;
  }
}

const ConstantSet& crypto_flags(uint16_t type) {
  switch (type) {
    case 16: return kNewFlags;
    case 17: case 20: return kDeleteFlags;
    case 19: return kGetFlags;
    default: return kPlainFlags;
  }
}

}  // namespace

const ConstantSet& netlink_flags(NetlinkVerb verb) {
  switch (verb) {
    case NetlinkVerb::Make: return kNewFlags;
    case NetlinkVerb::Ask: return kGetFlags;
    case NetlinkVerb::Delete: return kDeleteFlags;
    case NetlinkVerb::None: break;
  }
  return kPlainFlags;
}

const ConstantSet& netlink_message_names(int protocol, uint16_t type) {
  if (type < kFirstOfProtocol) return kControlMessages;
  switch (protocol) {
    case kNetlinkRoute: return kRouteMessages;
    case kNetlinkSockDiag: return kSockDiagMessages;
    case kNetlinkXfrm: return kXfrmMessages;
    case kNetlinkSelinux: return kSelinuxMessages;
    case kNetlinkAudit: return kAuditMessages;
    case kNetlinkCrypto: return kCryptoMessages;
    default: return kControlMessages;
  }
}

const ConstantSet& netlink_flags(int protocol, uint16_t type) {
  if (type == kNetlinkError) return kErrorFlags;
  if (type < kFirstOfProtocol) return kPlainFlags;
  switch (protocol) {
    case kNetlinkRoute: return route_flags(type);
    case kNetlinkXfrm: return xfrm_flags(type);
    case kNetlinkNetfilter: return netfilter_flags(type);
    case kNetlinkCrypto: return crypto_flags(type);
    case kNetlinkSockDiag:
    case kNetlinkGeneric: return kGetFlags;
    default: return kPlainFlags;
  }
}

}  // namespace strut
