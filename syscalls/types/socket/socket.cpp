#include "syscalls/types/socket/socket.hpp"

#include "syscalls/decoder.hpp"
#include "syscalls/types/common/remark.hpp"
#include "syscalls/types/socket/address_family_names.hpp"
#include "syscalls/types/socket/link_names.hpp"

namespace strut {
namespace {

using namespace strut::notation;

// <linux/net.h>, "enum sock_type"
constexpr Constant kSocketTypeNames[] = {
    {1, "SOCK_STREAM"}, {2, "SOCK_DGRAM"}, {3, "SOCK_RAW"}, {4, "SOCK_RDM"},
    {5, "SOCK_SEQPACKET"}, {6, "SOCK_DCCP"}, {10, "SOCK_PACKET"},
};
constexpr Constant kSocketFlagNames[] = {{02000000, "SOCK_CLOEXEC"}, {04000, "SOCK_NONBLOCK"}};

// Protocols of each family: <linux/in.h>, <linux/netlink.h>, <linux/can.h>, <linux/ax25.h>'s users, Bluetooth's
// <net/bluetooth/bluetooth.h>, <linux/isdn> of mISDNif.h, <linux/phonet.h>, <linux/caif/caif_socket.h>, <linux/nfc.h>,
// <linux/kcm.h>, <linux/smc.h>.
constexpr Constant kIpProtocolNames[] = {
    {0, "IPPROTO_IP"}, {1, "IPPROTO_ICMP"}, {2, "IPPROTO_IGMP"}, {4, "IPPROTO_IPIP"}, {6, "IPPROTO_TCP"},
    {8, "IPPROTO_EGP"}, {12, "IPPROTO_PUP"}, {17, "IPPROTO_UDP"}, {22, "IPPROTO_IDP"}, {29, "IPPROTO_TP"},
    {33, "IPPROTO_DCCP"}, {41, "IPPROTO_IPV6"}, {43, "IPPROTO_ROUTING"}, {44, "IPPROTO_FRAGMENT"},
    {46, "IPPROTO_RSVP"}, {47, "IPPROTO_GRE"}, {50, "IPPROTO_ESP"}, {51, "IPPROTO_AH"}, {58, "IPPROTO_ICMPV6"},
    {59, "IPPROTO_NONE"}, {60, "IPPROTO_DSTOPTS"}, {92, "IPPROTO_MTP"}, {94, "IPPROTO_BEETPH"}, {98, "IPPROTO_ENCAP"},
    {103, "IPPROTO_PIM"}, {108, "IPPROTO_COMP"}, {115, "IPPROTO_L2TP"}, {132, "IPPROTO_SCTP"}, {135, "IPPROTO_MH"},
    {136, "IPPROTO_UDPLITE"}, {137, "IPPROTO_MPLS"}, {143, "IPPROTO_ETHERNET"}, {144, "IPPROTO_AGGFRAG"},
    {255, "IPPROTO_RAW"}, {256, "IPPROTO_SMC"}, {262, "IPPROTO_MPTCP"},
};
constexpr Constant kAx25ProtocolNames[] = {
    {1, "AX25_P_ROSE"}, {6, "AX25_P_VJCOMP"}, {7, "AX25_P_VJUNCOMP"}, {8, "AX25_P_SEGMENT"}, {195, "AX25_P_TEXNET"},
    {196, "AX25_P_LQ"}, {202, "AX25_P_ATALK"}, {203, "AX25_P_ATALK_ARP"}, {204, "AX25_P_IP"}, {205, "AX25_P_ARP"},
    {206, "AX25_P_FLEXNET"}, {207, "AX25_P_NETROM"}, {240, "AX25_P_TEXT"},
};
constexpr Constant kNetlinkProtocolNames[] = {
    {0, "NETLINK_ROUTE"}, {1, "NETLINK_UNUSED"}, {2, "NETLINK_USERSOCK"}, {3, "NETLINK_FIREWALL"},
    {4, "NETLINK_SOCK_DIAG"}, {5, "NETLINK_NFLOG"}, {6, "NETLINK_XFRM"}, {7, "NETLINK_SELINUX"}, {8, "NETLINK_ISCSI"},
    {9, "NETLINK_AUDIT"}, {10, "NETLINK_FIB_LOOKUP"}, {11, "NETLINK_CONNECTOR"}, {12, "NETLINK_NETFILTER"},
    {13, "NETLINK_IP6_FW"}, {14, "NETLINK_DNRTMSG"}, {15, "NETLINK_KOBJECT_UEVENT"}, {16, "NETLINK_GENERIC"},
    {18, "NETLINK_SCSITRANSPORT"}, {19, "NETLINK_ECRYPTFS"}, {20, "NETLINK_RDMA"}, {21, "NETLINK_CRYPTO"},
    {22, "NETLINK_SMC"},
};
constexpr Constant kCanProtocolNames[] = {
    {1, "CAN_RAW"}, {2, "CAN_BCM"}, {3, "CAN_TP16"}, {4, "CAN_TP20"}, {5, "CAN_MCNET"}, {6, "CAN_ISOTP"},
    {7, "CAN_J1939"},
};
constexpr Constant kBluetoothProtocolNames[] = {
    {0, "BTPROTO_L2CAP"}, {1, "BTPROTO_HCI"}, {2, "BTPROTO_SCO"}, {3, "BTPROTO_RFCOMM"}, {4, "BTPROTO_BNEP"},
    {5, "BTPROTO_CMTP"}, {6, "BTPROTO_HIDP"}, {7, "BTPROTO_AVDTP"},
};
constexpr Constant kIsdnProtocolNames[] = {
    {0, "ISDN_P_BASE"}, {1, "ISDN_P_TE_S0"}, {2, "ISDN_P_NT_S0"}, {3, "ISDN_P_TE_E1"}, {4, "ISDN_P_NT_E1"},
    {16, "ISDN_P_LAPD_TE"}, {17, "ISDN_P_LAPD_NT"}, {33, "ISDN_P_B_RAW"}, {34, "ISDN_P_B_HDLC"},
    {35, "ISDN_P_B_X75SLP"}, {36, "ISDN_P_B_L2DTMF"}, {37, "ISDN_P_B_L2DSP"}, {38, "ISDN_P_B_L2DSPHDLC"},
};
constexpr Constant kPhonetProtocolNames[] = {
    {0, "PN_PROTO_TRANSPORT"}, {1, "PN_PROTO_PHONET"}, {2, "PN_PROTO_PIPE"},
};
constexpr Constant kCaifProtocolNames[] = {
    {0, "CAIFPROTO_AT"}, {1, "CAIFPROTO_DATAGRAM"}, {2, "CAIFPROTO_DATAGRAM_LOOP"}, {3, "CAIFPROTO_UTIL"},
    {4, "CAIFPROTO_RFM"}, {5, "CAIFPROTO_DEBUG"},
};
constexpr Constant kNfcSocketProtocolNames[] = {
    {0, "NFC_SOCKPROTO_RAW"}, {1, "NFC_SOCKPROTO_LLCP"},
};
constexpr Constant kKcmProtocolNames[] = {
    {0, "KCMPROTO_CONNECTED"},
};
constexpr Constant kSmcProtocolNames[] = {
    {0, "SMCPROTO_SMC"}, {1, "SMCPROTO_SMC6"},
};

constexpr Constant kMessageFlagNames[] = {
    {0x1, "MSG_OOB"}, {0x2, "MSG_PEEK"}, {0x4, "MSG_DONTROUTE"}, {0x8, "MSG_CTRUNC"}, {0x10, "MSG_PROBE"},
    {0x20, "MSG_TRUNC"}, {0x40, "MSG_DONTWAIT"}, {0x80, "MSG_EOR"}, {0x100, "MSG_WAITALL"}, {0x200, "MSG_FIN"},
    {0x400, "MSG_SYN"}, {0x800, "MSG_CONFIRM"}, {0x1000, "MSG_RST"}, {0x2000, "MSG_ERRQUEUE"},
    {0x4000, "MSG_NOSIGNAL"}, {0x8000, "MSG_MORE"}, {0x10000, "MSG_WAITFORONE"}, {0x20000, "MSG_SENDPAGE_NOTLAST"},
    {0x40000, "MSG_BATCH"}, {0x80000, "MSG_NO_SHARED_FRAGS"}, {0x2000000, "MSG_SOCK_DEVMEM"},
    {0x4000000, "MSG_ZEROCOPY"}, {0x20000000, "MSG_FASTOPEN"}, {0x40000000, "MSG_CMSG_CLOEXEC"},
    {0x80000000, "MSG_CMSG_COMPAT"},
};
constexpr Constant kShutdownNames[] = {{0, "SHUT_RD"}, {1, "SHUT_WR"}, {2, "SHUT_RDWR"}};

constexpr uint64_t kTypeMask = 0xf;  // SOCK_TYPE_MASK of the kernel's <linux/net.h>

constinit const ConstantSet kTypeWords = flag_set("SOCK_???", kSocketFlagNames);

constinit const ConstantSet kAx25Protocols = enumeration("AX25_P_???", kAx25ProtocolNames);
constinit const ConstantSet kCanProtocols = enumeration("CAN_???", kCanProtocolNames);
// strace(1) names these as if they were AF_CAN's.
constinit const ConstantSet kIrdaProtocols = enumeration("IRDAPROTO_???", kCanProtocolNames);
constinit const ConstantSet kBluetoothProtocols = enumeration("BTPROTO_???", kBluetoothProtocolNames);
constinit const ConstantSet kIsdnProtocols = enumeration("ISDN_P_???", kIsdnProtocolNames);
constinit const ConstantSet kPhonetProtocols = enumeration("PN_PROTO_???", kPhonetProtocolNames);
constinit const ConstantSet kCaifProtocols = enumeration("CAIFPROTO_???", kCaifProtocolNames);
constinit const ConstantSet kNfcSocketProtocols = enumeration("NFC_SOCKPROTO_???", kNfcSocketProtocolNames);
constinit const ConstantSet kKcmProtocols = enumeration("KCMPROTO_???", kKcmProtocolNames);
constinit const ConstantSet kSmcProtocols = enumeration("SMCPROTO_???", kSmcProtocolNames);

struct FamilyProtocols {
  uint32_t family;
  const ConstantSet* protocols;
};
constexpr FamilyProtocols kFamilyProtocols[] = {
    {kAfInet, &kIpProtocols}, {kAfInet6, &kIpProtocols}, {kAfNetlink, &kNetlinkProtocols},
    {23, &kIrdaProtocols}, {29, &kCanProtocols}, {kAfBluetooth, &kBluetoothProtocols},
    {kAfRxrpc, &kAddressFamilies}, {34, &kIsdnProtocols}, {35, &kPhonetProtocols}, {37, &kCaifProtocols},
    {kAfNfc, &kNfcSocketProtocols}, {41, &kKcmProtocols}, {43, &kSmcProtocols},
};

}  // namespace

constinit const ConstantSet kAddressFamilies = enumeration("AF_???", kAddressFamilyNames);
constinit const ConstantSet kIpProtocols = enumeration("IPPROTO_???", kIpProtocolNames);
constinit const ConstantSet kNetlinkProtocols = enumeration("NETLINK_???", kNetlinkProtocolNames);
constinit const ConstantSet kMessageFlags = flag_set("MSG_???", kMessageFlagNames);
constinit const ConstantSet kShutdownHow = enumeration("SHUT_???", kShutdownNames);
constinit const ConstantSet kSocketTypes = enumeration("SOCK_???", kSocketTypeNames);
constinit const ConstantSet kAccept4Flags = flag_set("SOCK_???", kSocketFlagNames);

Value socket_type(Decoder& decoder, uint64_t bits) {
  uint64_t type = bits & kTypeMask, rest = bits & 0xffffffff & ~kTypeMask;
  if (!kSocketTypes.name_of(type)) {
    const ConstantSet& set = rest ? kTypeWords : type ? kSocketTypes : kTypeWords;
    return Decoder::named(bits & 0xffffffff, set);
  }
  if (rest == 0) return Decoder::named(type, kSocketTypes);
  std::span<Value> parts = decoder.arena().array<Value>(2);
  parts[0] = Decoder::named(type, kSocketTypes);
  parts[1] = Decoder::named(rest, kTypeWords);
  return {Union{parts, bits, 4, true}, {}};
}
Value socket_protocol(Decoder& decoder, uint64_t bits) {
  uint32_t family = static_cast<uint32_t>(decoder.arg(0)), protocol = static_cast<uint32_t>(bits);
  if (family == kAfPacket) return ethernet_protocol(decoder, __builtin_bswap16(static_cast<uint16_t>(protocol)));
  if (family == kAfAx25) return number_with_names(decoder.arena(), protocol, kAx25Protocols, 4);
  for (const FamilyProtocols& entry : kFamilyProtocols)
    if (entry.family == family) return Decoder::named(protocol, *entry.protocols);
  return Decoder::number(bits, Show::Unsigned);
}

}  // namespace strut
