// What the attributes of rtnetlink(7) messages hold.
#pragma once

#include "core/types/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kLinkAttributes;
extern const AttributeSet kAddressAttributes;
extern const AttributeSet kRouteAttributes;
extern const AttributeSet kNeighbourAttributes;
extern const AttributeSet kRuleAttributes;
extern const AttributeSet kTcAttributes;
extern const AttributeSet kTcRootAttributes;
extern const AttributeSet kNeighbourTableAttributes;
extern const AttributeSet kAddressLabelAttributes;
extern const AttributeSet kNetConfAttributes;
extern const AttributeSet kMdbAttributes;
extern const AttributeSet kNetNsAttributes;
extern const AttributeSet kNexthopAttributes;

}  // namespace strut
