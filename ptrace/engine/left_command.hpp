// A command that was left stopped, by a tracer that does not end before it.
#pragma once

#include "base/ids.hpp"

namespace strut {

/// Waits until the command has exited: its status (wait4(2)). A thread that could not be detached with all others,
/// because it was in the kernel (a parent in vfork(2)), is still traced, and detached when it comes out. To be called
/// when tracing is over.
int wait_for_left(Pid command);

}  // namespace strut
