// Names of the link layer: Ethernet protocols, hardware types, network interfaces.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kEthernetProtocols;  ///< ETH_P_*, in host order
extern const ConstantSet kHardwareTypes;      ///< ARPHRD_*
extern const ConstantSet kPacketTypes;        ///< sll_pkttype: PACKET_HOST …

/// `htons(ETH_P_IP)`, a number in host order; without names `htons(0x800)`.
Value ethernet_protocol(Decoder& decoder, uint16_t protocol);
/// For a structure's field, which without names is the two bytes in memory.
Value swapped_ethernet_protocol(Decoder& decoder, uint16_t protocol);

/// `if_nametoindex("lo")`, without names and for interfaces that do not exist the index.
Value interface_index(Decoder& decoder, uint64_t index);
inline constexpr Type kInterfaceIndex = notation::shown_by(interface_index, Width::B4);

}  // namespace strut
