// rtnetlink(7)'s messages about neighbour tables, next hops, namespaces, statistics and other tables.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kTcRootAttributes;
extern const AttributeSet kNeighbourTableAttributes;
extern const AttributeSet kAddressLabelAttributes;
extern const AttributeSet kNetConfAttributes;
extern const AttributeSet kNetNsAttributes;
extern const AttributeSet kNexthopAttributes;
extern const AttributeSet kLinkStatsAttributes;
extern const AttributeSet kDcbAttributes;
extern const AttributeSet kNeighbourFdbAttributes;  ///< NDA_FDB_EXT_ATTRS
extern const AttributeSet kTcStatsAttributes;       ///< TCA_STATS2
extern const AttributeSet kTcStabAttributes;        ///< TCA_STAB

}  // namespace strut
