#include "kassist/syscalls/events/sleeper_reports.hpp"

#include "base/clock.hpp"
#include "procfs/process_status.hpp"

namespace strut {

Result<bool> report_sleepers(EventContext& context, uint64_t reported_before_ns) {
  bool waits = false;
  for (auto& [tid, thread] : context.threads.all()) {
    const Call& call = thread->call;
    if (!thread->inside || !thread->wanted || !thread->announced || thread->sleep_reported) continue;
    uint64_t time = monotonic_ns();
    if (time - call.entered.monotonic_ns < context.request.sleeping_after_ns) continue;
    if (thread->asleep_at_ns == 0) {
      if (is_asleep(thread->tid)) thread->asleep_at_ns = time, waits = true;
    } else if (thread->asleep_at_ns < reported_before_ns) {
      thread->sleep_reported = true;
      TRY_VOID(context.emit(*thread, thread->asleep_at_ns, call.ip, SleepingEvent{&call, &thread->decoded}));
    } else {
      waits = true;
    }
  }
  return waits;
}

}  // namespace strut
