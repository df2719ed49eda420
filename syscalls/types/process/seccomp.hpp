// seccomp(2): operations, flags, actions, modes.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kSeccompModes;    ///< for prctl(PR_SET_SECCOMP)
extern const ConstantSet kSeccompActions;  ///< SECCOMP_RET_*
extern const ConstantSet kSeccompOps;
extern const ConstantSet kSeccompFilterFlags;
/// Arguments from the second on, by operation.
extern const CommandTable kSeccompCommands;

}  // namespace strut
