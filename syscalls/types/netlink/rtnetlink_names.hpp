// Names in rtnetlink(7) messages.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kLinkAttributeNames;
extern const ConstantSet kAddressAttributeNames;
extern const ConstantSet kRouteAttributeNames;
extern const ConstantSet kNeighbourAttributeNames;
extern const ConstantSet kRuleAttributeNames;
extern const ConstantSet kTcAttributeNames;
extern const ConstantSet kLinkInfoAttributeNames;
extern const ConstantSet kXdpAttributeNames;
extern const ConstantSet kLinkInetAttributeNames;
extern const ConstantSet kLinkInet6AttributeNames;
extern const ConstantSet kRouteMetricAttributeNames;
extern const ConstantSet kProtoDownAttributeNames;
extern const ConstantSet kNeighbourFdbAttributeNames;
extern const ConstantSet kVfListAttributeNames;
extern const ConstantSet kVfAttributeNames;
extern const ConstantSet kPortAttributeNames;
extern const ConstantSet kNeighbourTableAttributeNames;
extern const ConstantSet kNetConfAttributeNames;
extern const ConstantSet kAddressLabelAttributeNames;
extern const ConstantSet kNetNsAttributeNames;
extern const ConstantSet kNexthopAttributeNames;
extern const ConstantSet kTcRootAttributeNames;
extern const ConstantSet kMdbAttributeNames;
extern const ConstantSet kStatsAttributeNames;
extern const ConstantSet kDcbAttributeNames;
/// Indices of the arrays of IFLA_INET_CONF and IFLA_INET6_CONF.
extern const ConstantSet kIpv4ConfNames;
extern const ConstantSet kIpv6ConfNames;
extern const ConstantSet kRouteTables;
extern const ConstantSet kRouteProtocols;
extern const ConstantSet kRouteScopes;
extern const ConstantSet kRouteTypes;
extern const ConstantSet kRouteFlags;
extern const ConstantSet kServiceTypes;
extern const ConstantSet kNexthopFlags;
extern const ConstantSet kAddressFlags;
extern const ConstantSet kInterfaceFlags;
extern const ConstantSet kNeighbourStates;
extern const ConstantSet kNeighbourFlags;
extern const ConstantSet kNeighbourExtendedFlags;
extern const ConstantSet kRuleActions;
extern const ConstantSet kRuleFlags;
extern const ConstantSet kLinkFilters;
extern const ConstantSet kLinkEvents;
extern const ConstantSet kInet6LinkFlags;
extern const ConstantSet kAddressGeneration;
extern const ConstantSet kXdpAttached;
extern const ConstantSet kXdpLinkFlags;
extern const ConstantSet kEncapsulations;
extern const ConstantSet kErrorAttributes;
extern const ConstantSet kBareRouteTables;  ///< without a remark on unknown numbers
extern const ConstantSet kIpv6StatsNames;
extern const ConstantSet kIcmp6StatsNames;
extern const ConstantSet kTcStatsAttributeNames;
extern const ConstantSet kTcStabAttributeNames;
extern const ConstantSet kVfPortAttributeNames;

}  // namespace strut
