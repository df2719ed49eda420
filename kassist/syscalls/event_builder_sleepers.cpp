// Calls in which threads are asleep for long.
#include "base/clock.hpp"
#include "kassist/syscalls/event_builder.hpp"
#include "procfs/process_status.hpp"

namespace strut {

/// A sleeping thread may have left its call and sleep in another: that is known when all records from before the look
/// were reported. True: such a check is open.
Result<bool> EventBuilder::look_for_sleepers(uint64_t reported_before_ns) {
  bool waits = false;
  for (auto& [tid, thread] : threads_) {
    const Call& call = thread->call;
    if (!thread->inside || !thread->wanted || !thread->announced || thread->sleep_reported) continue;
    uint64_t time = monotonic_ns();
    if (time - call.entered.monotonic_ns < request_.sleeping_after_ns) continue;
    if (thread->asleep_at_ns == 0) {
      if (is_asleep(thread->tid)) thread->asleep_at_ns = time, waits = true;
    } else if (thread->asleep_at_ns < reported_before_ns) {
      thread->sleep_reported = true;
      TRY_VOID(say(*thread, thread->asleep_at_ns, call.ip, SleepingEvent{&call, &thread->decoded}));
    } else {
      waits = true;
    }
  }
  return waits;
}

}  // namespace strut
