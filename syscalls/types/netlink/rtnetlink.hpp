// Messages of NETLINK_ROUTE: rtnetlink(7).
#pragma once

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

/// Adds the part after the header of a message of this type: the fixed part and the attributes.
void add_route_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                       size_t& held);

}  // namespace strut
