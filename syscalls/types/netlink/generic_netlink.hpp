// Messages of NETLINK_GENERIC: <linux/genetlink.h>. A type is a family, which has its number from the kernel.
#pragma once

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

Value generic_message_type(Decoder& decoder, uint16_t type);
/// Adds what follows the header: struct genlmsghdr and attributes, known of the family that tells of families only.
void add_generic_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                         size_t& held);

}  // namespace strut
