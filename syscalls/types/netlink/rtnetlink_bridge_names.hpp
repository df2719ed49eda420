// Names in rtnetlink(7)'s messages about bridges: <linux/if_bridge.h>, <linux/if_link.h>.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kBridgeAttributeNames;
extern const ConstantSet kBridgePortAttributeNames;
extern const ConstantSet kBridgeSpecAttributeNames;
extern const ConstantSet kBridgeTunnelAttributeNames;
extern const ConstantSet kBridgeFlags;
extern const ConstantSet kBridgeModes;
extern const ConstantSet kBridgeVlanFlags;
extern const ConstantSet kBridgeOptions;
extern const ConstantSet kSpanningTreeModes;
extern const ConstantSet kBridgeQuerierNames;
extern const ConstantSet kMdbNames;
extern const ConstantSet kMdbEntryNames;
extern const ConstantSet kMdbEntryAttributeNames;
extern const ConstantSet kMdbStates;
extern const ConstantSet kMdbFlags;
extern const ConstantSet kMdbRouterNames;
extern const ConstantSet kMdbRouterPortNames;
extern const ConstantSet kMdbRouterTypes;

}  // namespace strut
