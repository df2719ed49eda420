// The contents of rtnetlink(7) messages' attributes.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kLinkAttributes;
extern const AttributeSet kAddressAttributes;
extern const AttributeSet kRouteAttributes;
extern const AttributeSet kNeighbourAttributes;
extern const AttributeSet kRuleAttributes;
extern const AttributeSet kTcAttributes;
/// struct rtnl_link_stats64, older or newer.
Value link_statistics(Decoder& decoder, const NetlinkBytes& data, const AttributeContext& context);

}  // namespace strut
