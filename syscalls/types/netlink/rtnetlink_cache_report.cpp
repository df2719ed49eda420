#include "syscalls/types/netlink/rtnetlink_cache_report.hpp"

#include "syscalls/types/socket/socket.hpp"

namespace strut {
namespace {

constexpr Constant kIpv4NamesList[] = {
    {0, "IPMRA_CREPORT_UNSPEC"}, {1, "IPMRA_CREPORT_MSGTYPE"}, {2, "IPMRA_CREPORT_VIF_ID"},
    {3, "IPMRA_CREPORT_SRC_ADDR"}, {4, "IPMRA_CREPORT_DST_ADDR"}, {5, "IPMRA_CREPORT_PKT"}, {6, "IPMRA_CREPORT_TABLE"},
};
constexpr Constant kIpv6NamesList[] = {
    {0, "IP6MRA_CREPORT_UNSPEC"}, {1, "IP6MRA_CREPORT_MSGTYPE"}, {2, "IP6MRA_CREPORT_MIF_ID"},
    {3, "IP6MRA_CREPORT_SRC_ADDR"}, {4, "IP6MRA_CREPORT_DST_ADDR"}, {5, "IP6MRA_CREPORT_PKT"},
};
constexpr Constant kIpv4MessagesList[] = {
    {1, "IGMPMSG_NOCACHE"}, {2, "IGMPMSG_WRONGVIF"}, {3, "IGMPMSG_WHOLEPKT"}, {4, "IGMPMSG_WRVIFWHOLE"},
};
constexpr Constant kIpv6MessagesList[] = {{1, "MRT6MSG_NOCACHE"}, {2, "MRT6MSG_WRONGMIF"}, {3, "MRT6MSG_WHOLEPKT"}};
constinit const ConstantSet kIpv4Names = enumeration("IPMRA_CREPORT_???", kIpv4NamesList);
constinit const ConstantSet kIpv6Names = enumeration("IP6MRA_CREPORT_???", kIpv6NamesList);
constinit const ConstantSet kIpv4Messages = enumeration("IGMPMSG_???", kIpv4MessagesList);
constinit const ConstantSet kIpv6Messages = enumeration("MRT6MSG_???", kIpv6MessagesList);

constexpr Attribute kIpv4List[] = {
    names_short(1, kIpv4Messages, 1), holds(2, attribute_u32), holds(3, attribute_address_of<kAfInet>),
    holds(4, attribute_address_of<kAfInet>), holds(6, attribute_u32),
};
constexpr Attribute kIpv6List[] = {
    names_short(1, kIpv6Messages, 1), holds(2, attribute_u32), holds(3, attribute_address_of<kAfInet6>),
    holds(4, attribute_address_of<kAfInet6>),
};

}  // namespace

constinit const AttributeSet kIpv4CacheReportAttributes = {&kIpv4Names, kIpv4List};
constinit const AttributeSet kIpv6CacheReportAttributes = {&kIpv6Names, kIpv6List};

}  // namespace strut
