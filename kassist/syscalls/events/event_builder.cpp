#include "kassist/syscalls/events/event_builder.hpp"

#include "kassist/syscalls/events/hit_reports.hpp"
#include "kassist/syscalls/events/sleeper_reports.hpp"

namespace strut {

Result<bool> EventBuilder::look_for_sleepers(uint64_t reported_before_ns) {
  return report_sleepers(context_, reported_before_ns);
}

bool EventBuilder::limit_reached() const {
  uint64_t limit = context_.request.call_limit;
  return limit != 0 && calls_.reported() >= limit;
}

bool EventBuilder::any_left() const {
  return !context_.threads.empty() || context_.request.system_wide || context_.command.is_hidden;
}

void EventBuilder::end_hidden_command(int wait_status) {
  context_.command.is_hidden = false;
  context_.command.status = wait_status;
}

Result<void> EventBuilder::report(const Order::Entry& entry) {
  switch (entry.record.header().kind) {
    case WIRE_NUDGE: return {};
    case WIRE_EXEC: return lives_.execed(entry);
    case WIRE_MAPPED: return stacks_.code_mapped(entry.record), Result<void>{};
    case WIRE_GENERATED: return signals_.generated(entry.record);
    case WIRE_SEEDED: return attaching_.joined(entry);
    default: break;
  }
  FollowedThread* known = context_.threads.find(entry.record.tid());
  return report_of_thread(known ? *known : context_.threads.meet(entry.record.tid(), entry.record.pid()), entry);
}

Result<void> EventBuilder::report_of_thread(FollowedThread& thread, const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  TRY_VOID(losses_.account(thread, record));
  TRY_VOID(calls_.report_held(thread, record.kind == WIRE_EXIT ? &entry : nullptr));
  switch (record.kind) {
    case WIRE_CALL: TRY_VOID(calls_.enter(thread, entry, &entry)); return calls_.leave(thread, entry);
    case WIRE_ENTER: return report_entry(thread, entry);
    case WIRE_EXIT: return calls_.leave(thread, entry);
    case WIRE_ABI: return calls_.follow_abi(thread, record);
    case WIRE_FORK: return lives_.forked(thread, entry.record);
    case WIRE_LEFT: return attaching_.stop_following(thread, record.at_ns);
    case WIRE_HIT: return report_hit(context_, stacks_, thread, entry);
    case WIRE_SIGNAL: return signals_.delivered(thread, entry);
    case WIRE_THREAD_EXIT:
    case WIRE_LAST_THREAD: thread.note_number(record.nr); return lives_.exited(thread, record);
    default: return {};
  }
}

Result<void> EventBuilder::report_entry(FollowedThread& thread, const Order::Entry& entry) {
  const wire_record& record = entry.record.header();
  if (!thread.inside) TRY_VOID(signals_.report_waiting(thread, record.entered_ns));
  if (!(record.flags & WIRE_MISSED)) return calls_.enter(thread, entry, nullptr);
  calls_.hold(thread, entry);
  return {};
}

}  // namespace strut
