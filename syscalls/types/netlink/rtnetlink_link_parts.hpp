// Attributes of links that are attributes again: virtual functions, ports, kinds.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kVfInfosAttributes;  ///< IFLA_VFINFO_LIST
extern const AttributeSet kVfPortsAttributes;  ///< IFLA_VF_PORTS
extern const AttributeSet kPortAttributes;     ///< IFLA_PORT_SELF
extern const AttributeSet kMctpAttributes;     ///< IFLA_AF_SPEC of AF_MCTP

/// IFLA_LINKINFO: its content depends on the kind of link that it names.
Value decode_link_info(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context);

}  // namespace strut
