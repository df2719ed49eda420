// A process that stands still for a moment, for work that must see all of its threads.
#pragma once

#include <memory>

#include "base/ids.hpp"

namespace strut {

/// Stops all threads of a process until the result is destroyed, by the same thread. nullptr: another tracer has it, it
/// has ended, or a thread is in an uninterruptible sleep. A strut that is killed lets it go on.
std::shared_ptr<void> hold_process(Pid pid);

}  // namespace strut
