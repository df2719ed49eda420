#include "kassist/syscalls/events/loss_settlement.hpp"

#include "base/clock.hpp"

namespace strut {

/// A thread's late record comes beside other threads' lines, though those threads may all be gone by now.
Result<void> LossSettlement::settle(Tid tid, const wire_loss& loss, uint64_t before_ns) {
  context_.emitter.count_others(context_.threads.had_others(tid));
  Result<void> settled = settle_one(tid, loss, before_ns);
  context_.emitter.count_others(0);
  return settled;
}

Result<void> LossSettlement::leave_out(Tid tid, const UnreportedEvents& events) {
  FollowedThread* known = context_.threads.find(tid);
  FollowedThread& thread = known ? *known : context_.threads.add(tid, events.pid);
  TRY_VOID(context_.emit(thread, monotonic_ns(), 0, LostEvent{events.count}));
  if (!known) context_.threads.forget(thread);
  return {};
}

Result<void> LossSettlement::settle_one(Tid tid, const wire_loss& loss, uint64_t before_ns) {
  bool at_the_end = before_ns == UINT64_MAX;
  bool ended = loss.end.kind != 0 && loss.end.at_ns < before_ns && ended_ns_[raw(tid)] != loss.end.at_ns;
  FollowedThread* thread = context_.threads.find(tid);
  if (!thread && loss.born_ns != 0 && loss.born_ns < before_ns)
    thread = &context_.threads.meet(tid, Pid{static_cast<int32_t>(loss.tgid)});
  if (!ended && !at_the_end) return {};
  uint64_t unreported = loss.events - losses_.lost_of(tid);
  bool gone = !thread;
  if (gone && (ended || unreported > 0))
    thread = &context_.threads.add(tid, Pid{ended ? static_cast<int32_t>(loss.end.tgid) : raw(tid)});
  if (unreported > 0) TRY_VOID(losses_.report(*thread, ended ? loss.end.at_ns : monotonic_ns(), unreported));
  if (ended) {
    ended_ns_[raw(tid)] = loss.end.at_ns;
    return lives_.exited(*thread, loss.end);
  }
  if (gone && thread) context_.threads.forget(*thread);
  return {};
}

}  // namespace strut
