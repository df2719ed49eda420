// Calls in which threads are asleep for long, as events.
#pragma once

#include "kassist/syscalls/events/event_context.hpp"

namespace strut {

/// Looks which threads are asleep in a call, and reports those that were at an earlier look. A sleeping thread may have
/// left its call and sleep in another: that is known when all records from before the look were reported. True: such a
/// check is open.
Result<bool> report_sleepers(EventContext& context, uint64_t reported_before_ns);

}  // namespace strut
