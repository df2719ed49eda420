// Threads at sites of functions as events.
#pragma once

#include "kassist/syscalls/events/call_stacks.hpp"

namespace strut {

/// `entry`: a WIRE_HIT record of the thread.
Result<void> report_hit(EventContext& context, CallStacks& stacks, FollowedThread& thread, const Order::Entry& entry);

}  // namespace strut
