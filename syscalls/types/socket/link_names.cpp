#include "syscalls/types/socket/link_names.hpp"

#include "syscalls/decoder.hpp"

namespace strut {
namespace {

// <linux/if_ether.h>
constexpr Constant kEthernetProtocolNames[] = {
    {0x0001, "ETH_P_802_3"}, {0x0002, "ETH_P_AX25"}, {0x0003, "ETH_P_ALL"}, {0x0004, "ETH_P_802_2"},
    {0x0005, "ETH_P_SNAP"}, {0x0006, "ETH_P_DDCMP"}, {0x0007, "ETH_P_WAN_PPP"}, {0x0008, "ETH_P_PPP_MP"},
    {0x0009, "ETH_P_LOCALTALK"}, {0x000c, "ETH_P_CAN"}, {0x000d, "ETH_P_CANFD"}, {0x000e, "ETH_P_CANXL"},
    {0x0010, "ETH_P_PPPTALK"}, {0x0011, "ETH_P_TR_802_2"}, {0x0015, "ETH_P_MOBITEX"}, {0x0016, "ETH_P_CONTROL"},
    {0x0017, "ETH_P_IRDA"}, {0x0018, "ETH_P_ECONET"}, {0x0019, "ETH_P_HDLC"}, {0x001a, "ETH_P_ARCNET"},
    {0x001b, "ETH_P_DSA"}, {0x001c, "ETH_P_TRAILER"}, {0x0060, "ETH_P_LOOP"}, {0x00f5, "ETH_P_PHONET"},
    {0x00f6, "ETH_P_IEEE802154"}, {0x00f7, "ETH_P_CAIF"}, {0x00f8, "ETH_P_XDSA"}, {0x00f9, "ETH_P_MAP"},
    {0x00fa, "ETH_P_MCTP"}, {0x00fe, "ETH_P_GRE_OSI"}, {0x0200, "ETH_P_PUP"}, {0x0201, "ETH_P_PUPAT"},
    {0x0600, "ETH_P_802_3_MIN"}, {0x0800, "ETH_P_IP"}, {0x0805, "ETH_P_X25"}, {0x0806, "ETH_P_ARP"},
    {0x08ff, "ETH_P_BPQ"}, {0x0a00, "ETH_P_IEEEPUP"}, {0x0a01, "ETH_P_IEEEPUPAT"}, {0x22eb, "ETH_P_ERSPAN2"},
    {0x22f0, "ETH_P_TSN"}, {0x4305, "ETH_P_BATMAN"}, {0x6000, "ETH_P_DEC"}, {0x6001, "ETH_P_DNA_DL"},
    {0x6002, "ETH_P_DNA_RC"}, {0x6003, "ETH_P_DNA_RT"}, {0x6004, "ETH_P_LAT"}, {0x6005, "ETH_P_DIAG"},
    {0x6006, "ETH_P_CUST"}, {0x6007, "ETH_P_SCA"}, {0x6558, "ETH_P_TEB"}, {0x8035, "ETH_P_RARP"},
    {0x809b, "ETH_P_ATALK"}, {0x80f3, "ETH_P_AARP"}, {0x8100, "ETH_P_8021Q"}, {0x8137, "ETH_P_IPX"},
    {0x86dd, "ETH_P_IPV6"}, {0x8808, "ETH_P_PAUSE"}, {0x8809, "ETH_P_SLOW"}, {0x883e, "ETH_P_WCCP"},
    {0x8847, "ETH_P_MPLS_UC"}, {0x8848, "ETH_P_MPLS_MC"}, {0x884c, "ETH_P_ATMMPOA"}, {0x8863, "ETH_P_PPP_DISC"},
    {0x8864, "ETH_P_PPP_SES"}, {0x886c, "ETH_P_LINK_CTL"}, {0x8870, "ETH_P_8021AC"}, {0x8884, "ETH_P_ATMFATE"},
    {0x888e, "ETH_P_PAE"}, {0x8899, "ETH_P_REALTEK"}, {0x88a2, "ETH_P_AOE"}, {0x88a8, "ETH_P_8021AD"},
    {0x88b5, "ETH_P_802_EX1"}, {0x88be, "ETH_P_ERSPAN"}, {0x88c3, "ETH_P_MXLGSW"}, {0x88c7, "ETH_P_PREAUTH"},
    {0x88ca, "ETH_P_TIPC"}, {0x88cc, "ETH_P_LLDP"}, {0x88e3, "ETH_P_MRP"}, {0x88e5, "ETH_P_MACSEC"},
    {0x88e7, "ETH_P_8021AH"}, {0x88f5, "ETH_P_MVRP"}, {0x88f7, "ETH_P_1588"}, {0x88f8, "ETH_P_NCSI"},
    {0x88fb, "ETH_P_PRP"}, {0x8902, "ETH_P_CFM"}, {0x8906, "ETH_P_FCOE"}, {0x890d, "ETH_P_TDLS"},
    {0x8914, "ETH_P_FIP"}, {0x8915, "ETH_P_IBOE"}, {0x8917, "ETH_P_80221"}, {0x892f, "ETH_P_HSR"},
    {0x894f, "ETH_P_NSH"}, {0x9000, "ETH_P_LOOPBACK"}, {0x9100, "ETH_P_QINQ1"}, {0x9200, "ETH_P_QINQ2"},
    {0x9300, "ETH_P_QINQ3"}, {0x9988, "ETH_P_YT921X"}, {0xdada, "ETH_P_EDSA"}, {0xdadb, "ETH_P_DSA_8021Q"},
    {0xe001, "ETH_P_DSA_A5PSW"}, {0xed3e, "ETH_P_IFE"}, {0xfbfb, "ETH_P_AF_IUCV"}, {0xfd3a, "ETH_P_NXP_NETC"},
};
// <linux/if_arp.h>
constexpr Constant kHardwareTypeNames[] = {
    {0, "ARPHRD_NETROM"}, {1, "ARPHRD_ETHER"}, {2, "ARPHRD_EETHER"}, {3, "ARPHRD_AX25"}, {4, "ARPHRD_PRONET"},
    {5, "ARPHRD_CHAOS"}, {6, "ARPHRD_IEEE802"}, {7, "ARPHRD_ARCNET"}, {8, "ARPHRD_APPLETLK"}, {15, "ARPHRD_DLCI"},
    {19, "ARPHRD_ATM"}, {23, "ARPHRD_METRICOM"}, {24, "ARPHRD_IEEE1394"}, {27, "ARPHRD_EUI64"},
    {32, "ARPHRD_INFINIBAND"}, {256, "ARPHRD_SLIP"}, {257, "ARPHRD_CSLIP"}, {258, "ARPHRD_SLIP6"},
    {259, "ARPHRD_CSLIP6"}, {260, "ARPHRD_RSRVD"}, {264, "ARPHRD_ADAPT"}, {270, "ARPHRD_ROSE"}, {271, "ARPHRD_X25"},
    {272, "ARPHRD_HWX25"}, {280, "ARPHRD_CAN"}, {290, "ARPHRD_MCTP"}, {512, "ARPHRD_PPP"}, {513, "ARPHRD_CISCO"},
    {516, "ARPHRD_LAPB"}, {517, "ARPHRD_DDCMP"}, {518, "ARPHRD_RAWHDLC"}, {519, "ARPHRD_RAWIP"},
    {768, "ARPHRD_TUNNEL"}, {769, "ARPHRD_TUNNEL6"}, {770, "ARPHRD_FRAD"}, {771, "ARPHRD_SKIP"},
    {772, "ARPHRD_LOOPBACK"}, {773, "ARPHRD_LOCALTLK"}, {774, "ARPHRD_FDDI"}, {775, "ARPHRD_BIF"},
    {776, "ARPHRD_SIT"}, {777, "ARPHRD_IPDDP"}, {778, "ARPHRD_IPGRE"}, {779, "ARPHRD_PIMREG"}, {780, "ARPHRD_HIPPI"},
    {781, "ARPHRD_ASH"}, {782, "ARPHRD_ECONET"}, {783, "ARPHRD_IRDA"}, {784, "ARPHRD_FCPP"}, {785, "ARPHRD_FCAL"},
    {786, "ARPHRD_FCPL"}, {787, "ARPHRD_FCFABRIC"}, {800, "ARPHRD_IEEE802_TR"}, {801, "ARPHRD_IEEE80211"},
    {802, "ARPHRD_IEEE80211_PRISM"}, {803, "ARPHRD_IEEE80211_RADIOTAP"}, {804, "ARPHRD_IEEE802154"},
    {805, "ARPHRD_IEEE802154_MONITOR"}, {820, "ARPHRD_PHONET"}, {821, "ARPHRD_PHONET_PIPE"}, {822, "ARPHRD_CAIF"},
    {823, "ARPHRD_IP6GRE"}, {824, "ARPHRD_NETLINK"}, {825, "ARPHRD_6LOWPAN"}, {826, "ARPHRD_VSOCKMON"},
    {65534, "ARPHRD_NONE"}, {65535, "ARPHRD_VOID"},
};
// <linux/if_packet.h>
constexpr Constant kPacketTypeNames[] = {
    {0, "PACKET_HOST"}, {1, "PACKET_BROADCAST"}, {2, "PACKET_MULTICAST"}, {3, "PACKET_OTHERHOST"},
    {4, "PACKET_OUTGOING"}, {5, "PACKET_LOOPBACK"}, {6, "PACKET_USER"}, {7, "PACKET_KERNEL"},
};

}  // namespace

constinit const ConstantSet kEthernetProtocols = enumeration("ETH_P_???", kEthernetProtocolNames);
constinit const ConstantSet kHardwareTypes = enumeration("ARPHRD_???", kHardwareTypeNames);
constinit const ConstantSet kPacketTypes = enumeration("PACKET_???", kPacketTypeNames);

Value ethernet_protocol(Decoder& decoder, uint16_t protocol) {
  std::span<Value> args = decoder.arena().array<Value>(1);
  args[0] = Decoder::named(protocol, kEthernetProtocols, 2);
  return {Form{"htons", args, nullptr}, {}};
}

Value swapped_ethernet_protocol(Decoder& decoder, uint16_t protocol) {
  Value form = ethernet_protocol(decoder, protocol);
  const char bytes[] = {static_cast<char>(protocol >> 8), static_cast<char>(protocol)};
  std::get<Form>(form.is).plain = decoder.arena().make(decoder.text({bytes, sizeof bytes}, TextKind::Binary));
  return form;
}

Value interface_index(Decoder& decoder, uint64_t index) {
  Value plain = Decoder::number(index, Show::Unsigned, 4);
  std::optional<std::string> name = decoder.around().interface_name(static_cast<uint32_t>(index));
  if (!name) return plain;
  std::span<Value> args = decoder.arena().array<Value>(1);
  args[0] = decoder.text(*name, TextKind::Path);
  return {Form{"if_nametoindex", args, decoder.arena().make(plain)}, {}};
}

}  // namespace strut
