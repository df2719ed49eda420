// The contents of sock_diag(7) messages' attributes, and the addresses in these messages.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kInetRequestAttributes;
extern const AttributeSet kInetDiagAttributes;
extern const AttributeSet kUnixDiagAttributes;
extern const AttributeSet kNetlinkDiagAttributes;
extern const AttributeSet kPacketDiagAttributes;

/// An address in 16 bytes of which IPv4 uses four; another family's are binary text.
Value sixteen_byte_address(Decoder& decoder, const NetlinkBytes& bytes, uint8_t family);

}  // namespace strut
