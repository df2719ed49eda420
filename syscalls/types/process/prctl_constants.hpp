// The numbers of <linux/prctl.h>, <linux/securebits.h> and <linux/sched/coredump.h> by name.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

extern const ConstantSet kDumpable;
extern const ConstantSet kUnaligned;
extern const ConstantSet kSecureBits;
extern const ConstantSet kTscModes;
extern const ConstantSet kMceKillOps;
extern const ConstantSet kMceKillPolicies;
extern const ConstantSet kSetMmOps;
extern const ConstantSet kPtracers;
extern const ConstantSet kFpModes;
extern const ConstantSet kAmbientOps;
extern const ConstantSet kSveLengths;
extern const ConstantSet kSmeLengths;
extern const ConstantSet kSpeculations;
extern const ConstantSet kSpeculationStates;   ///< flags: results of PR_GET_SPECULATION_CTRL
extern const ConstantSet kSpeculationOrders;   ///< arguments of PR_SET_SPECULATION_CTRL
extern const ConstantSet kPacKeys;
extern const ConstantSet kPacSwitches;
extern const ConstantSet kDispatchModes;
extern const ConstantSet kCoreOps;
extern const ConstantSet kPidTypes;
extern const ConstantSet kMdweFlags;
extern const ConstantSet kVmaOps;
extern const ConstantSet kIcacheFlushes;
extern const ConstantSet kIcacheScopes;
extern const ConstantSet kDexcrAspects;
extern const ConstantSet kDexcrControls;

}  // namespace strut
