// Calls in which tracees are asleep for long.
#include <algorithm>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/tracer.hpp"

namespace strut {

namespace {

constexpr uint64_t kLookEvery_ns = 200'000'000;
constexpr uint64_t kLeastPause = 10;  ///< in multiples of the time of a look

}  // namespace

/// A tracee that runs answers no request; whether it sleeps is in /proc.
Result<void> Tracer::look_for_sleepers() {
  uint64_t time = monotonic_ns();
  if (request_.sleeping_after_ns == 0 || is_leaving_ || time < look_for_sleepers_at_ns_) return {};
  for (auto& [tid, tracee] : tracees_) {
    const Call& call = tracee->call;
    bool reported = tracee->place() == Place::Inside && tracee->wanted && tracee->announced && !tracee->sleep_reported;
    if (!reported || time - call.entered.monotonic_ns < request_.sleeping_after_ns || !is_asleep(tracee->tid)) continue;
    tracee->sleep_reported = true;
    TRY_VOID(emitter_.report(*tracee, now(), call.ip, SleepingEvent{&call, &tracee->decoded}));
  }
  uint64_t end = monotonic_ns();
  look_for_sleepers_at_ns_ = end + std::max(kLookEvery_ns, kLeastPause * (end - time));
  return {};
}

}  // namespace strut
