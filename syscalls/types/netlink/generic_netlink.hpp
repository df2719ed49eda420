// Messages of NETLINK_GENERIC: <linux/genetlink.h>. A type is a family, which has its number from the kernel.
#pragma once

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

Value generic_message_type(Decoder& decoder, uint16_t type);
/// Adds the part after the header: struct genlmsghdr and attributes, with names only for the family that describes
/// families.
void add_generic_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                         size_t& held);

}  // namespace strut
