// Processes by descriptor and namespace, and the kinds of comparisons: flags of pidfd_open(2), execveat(2), kcmp(2).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kExecveatFlags;
extern const ConstantSet kPidfdFlags;
extern const ConstantSet kPidfdSignalFlags;

/// kcmp(2)'s arguments behind the type, by type.
extern const ConstantSet kKcmpTypes;
extern const CommandTable kKcmpCommands;

}  // namespace strut
