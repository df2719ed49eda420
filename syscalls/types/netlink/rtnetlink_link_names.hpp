// Names in rtnetlink(7)'s messages about links, next hops, neighbour tables and statistics.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kVfStatsNames;
extern const ConstantSet kVfVlanNames;
extern const ConstantSet kVfLinkStates;
extern const ConstantSet kTunAttributeNames;
extern const ConstantSet kTunTypes;
extern const ConstantSet kMctpAttributeNames;
extern const ConstantSet kActionFlags;
extern const ConstantSet kNeighbourNotifyFlags;
extern const ConstantSet kNeighbourParameterNames;
extern const ConstantSet kNexthopGroupTypes;
extern const ConstantSet kNexthopGroupNames;
extern const ConstantSet kNexthopBucketNames;
extern const ConstantSet kLinkStatsNames;
extern const ConstantSet kLinkStatsBits;
extern const ConstantSet kXstatsNames;
extern const ConstantSet kBridgeXstatsNames;
extern const ConstantSet kBondXstatsNames;
extern const ConstantSet kBond3adNames;
extern const ConstantSet kOffloadXstatsNames;
extern const ConstantSet kMplsStatsNames;
extern const ConstantSet kDcbCommands;
extern const ConstantSet kActionAttributeNames;
extern const ConstantSet kActionFlagWords;
extern const ConstantSet kActionHardwareStats;
extern const ConstantSet kMulticastDirections;
extern const ConstantSet kRouteListeners;

}  // namespace strut
