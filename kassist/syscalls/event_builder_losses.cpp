// Records that the kernel had no room for, as events.
#include "base/clock.hpp"
#include "kassist/syscalls/event_builder.hpp"

namespace strut {

Result<void> EventBuilder::account_for_losses(FollowedThread& thread, const wire_record& record) {
  if (record.sequence == WIRE_UNNUMBERED) return {};
  uint64_t expected = thread.next_sequence;
  thread.next_sequence = record.sequence + static_cast<uint64_t>(wire_is_event(record.kind));
  if (record.sequence <= expected) return {};
  // A call with a lost exit is over; one without room for its entry comes whole.
  if (!(record.flags & WIRE_AMID)) thread.inside = false;
  return report_lost(thread, record.at_ns, record.sequence - expected);
}

Result<void> EventBuilder::report_lost(FollowedThread& thread, uint64_t at_ns, uint64_t count) {
  lost_ += count;
  lost_of_[raw(thread.tid)] += count;
  return say(thread, at_ns, 0, LostEvent{count});
}

/// A thread's late record comes beside other threads' lines, though those threads may all be gone by now.
Result<void> EventBuilder::settle(Tid tid, const wire_loss& loss, uint64_t before_ns) {
  emitter_.count_others(added_ > 1 || tid != first_);
  Result<void> settled = settle_one(tid, loss, before_ns);
  emitter_.count_others(0);
  return settled;
}

Result<void> EventBuilder::leave_out(Tid tid, const UnreportedEvents& events) {
  FollowedThread* known = find(tid);
  FollowedThread& thread = known ? *known : add(tid, events.pid);
  TRY_VOID(say(thread, monotonic_ns(), 0, LostEvent{events.count}));
  if (!known) forget(thread);
  return {};
}

Result<void> EventBuilder::settle_one(Tid tid, const wire_loss& loss, uint64_t before_ns) {
  bool at_the_end = before_ns == UINT64_MAX;
  bool ended = loss.end.kind != 0 && loss.end.at_ns < before_ns && ended_ns_[raw(tid)] != loss.end.at_ns;
  FollowedThread* thread = find(tid);
  if (!thread && loss.born_ns != 0 && loss.born_ns < before_ns)
    thread = &meet(tid, Pid{static_cast<int32_t>(loss.tgid)});
  if (!ended && !at_the_end) return {};
  uint64_t unreported = loss.events - lost_of_[raw(tid)];
  bool gone = !thread;
  if (gone && (ended || unreported > 0))
    thread = &add(tid, Pid{ended ? static_cast<int32_t>(loss.end.tgid) : raw(tid)});
  if (unreported > 0) TRY_VOID(report_lost(*thread, ended ? loss.end.at_ns : monotonic_ns(), unreported));
  if (ended) {
    ended_ns_[raw(tid)] = loss.end.at_ns;
    return died(*thread, loss.end);
  }
  if (gone && thread) forget(*thread);
  return {};
}

}  // namespace strut
