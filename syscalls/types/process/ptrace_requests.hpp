// ptrace(2): requests with their address and data.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kPtraceRequests;
/// Arguments from the second on, by request.
extern const CommandTable kPtraceCommands;

}  // namespace strut
