// Statistics that bridges keep: IFLA_STATS_LINK_XSTATS.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

extern const AttributeSet kBridgeStatsAttributes;

}  // namespace strut
