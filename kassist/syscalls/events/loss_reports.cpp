#include "kassist/syscalls/events/loss_reports.hpp"

namespace strut {

Result<void> LossReports::account(FollowedThread& thread, const wire_record& record) {
  if (record.sequence == WIRE_UNNUMBERED) return {};
  uint64_t expected = thread.next_sequence;
  thread.next_sequence = record.sequence + static_cast<uint64_t>(wire_is_event(record.kind));
  if (record.sequence <= expected) return {};
  // A call with a lost exit is over; one without room for its entry comes whole.
  if (!(record.flags & WIRE_AMID)) thread.inside = false;
  return report(thread, record.at_ns, record.sequence - expected);
}

Result<void> LossReports::report(FollowedThread& thread, uint64_t at_ns, uint64_t count) {
  lost_ += count;
  lost_of_[raw(thread.tid)] += count;
  return context_.emit(thread, at_ns, 0, LostEvent{count});
}

}  // namespace strut
