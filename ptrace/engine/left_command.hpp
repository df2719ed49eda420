// A command that was left stopped, by a tracer that does not end before it.
#pragma once

#include "base/ids.hpp"

namespace strut {

/// Waits until the command has ended: its status (wait4(2)). Who could not be let go with all others, for it stood in
/// the kernel (a parent in vfork(2)), is still traced, and let go when it comes out. Call it when tracing is over.
int wait_for_left(Pid command);

}  // namespace strut
