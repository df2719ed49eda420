// Messages of NETLINK_NETFILTER: <linux/netfilter/nfnetlink.h>. A type is a subsystem and one of its messages.
#pragma once

#include "syscalls/types/netlink/netlink_bytes.hpp"

namespace strut {

Value netfilter_message_type(Decoder& decoder, uint16_t type);
const ConstantSet& netfilter_flags(uint16_t type);
/// Adds the part after the header: struct nfgenmsg and attributes, which have no names here.
void add_netfilter_payload(Decoder& decoder, uint16_t type, const NetlinkBytes& payload, std::span<Value> items,
                           size_t& held);

}  // namespace strut
