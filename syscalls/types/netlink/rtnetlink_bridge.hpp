// rtnetlink(7)'s messages about bridges, their ports and their multicast groups.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kBridgeAttributes;      ///< IFLA_INFO_DATA of a bridge
extern const AttributeSet kBridgePortAttributes;  ///< IFLA_PROTINFO, IFLA_INFO_SLAVE_DATA
extern const AttributeSet kBridgeSpecAttributes;  ///< IFLA_AF_SPEC of AF_BRIDGE
extern const AttributeSet kMdbAttributes;         ///< messages about multicast groups

}  // namespace strut
