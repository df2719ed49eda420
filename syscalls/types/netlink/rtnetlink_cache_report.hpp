// Multicast routing's reports to user space: RTM_NEWCACHEREPORT, <linux/mroute.h>, <linux/mroute6.h>.
#pragma once

#include "syscalls/types/netlink/netlink_attributes.hpp"

namespace strut {

inline constexpr uint8_t kIpv4MulticastFamily = 128, kIpv6MulticastFamily = 129;  // RTNL_FAMILY_IPMR, RTNL_FAMILY_IP6MR

extern const AttributeSet kIpv4CacheReportAttributes;
extern const AttributeSet kIpv6CacheReportAttributes;

}  // namespace strut
