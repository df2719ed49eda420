// Signals and group-stops as events.
#pragma once

#include "kassist/syscalls/events/call_stacks.hpp"

namespace strut {

class SignalReports {
 public:
  SignalReports(EventContext& context, CallStacks& stacks) : context_(context), stacks_(stacks) {}

  /// WIRE_SIGNAL: delivered, to a handler or to its default action. The thread is in no call.
  Result<void> delivered(FollowedThread& thread, const Order::Entry& entry);
  /// WIRE_GENERATED: fatal or ignored. A tracer sees ignored signals, too: when the thread's current call has returned.
  Result<void> generated(RecordView record);
  Result<void> report(FollowedThread& thread, const ComingSignal& signal, const Stack* stack);
  /// Signals and stops that came up to `at_ns`, in a call that has returned by then.
  Result<void> report_waiting(FollowedThread& thread, uint64_t at_ns);
  Result<void> report_stop(FollowedThread& thread, int signal, uint64_t at_ns);

 private:
  ComingSignal signal_of(RecordView record);
  Result<void> stop_process(FollowedThread& taker, int signal, uint64_t at_ns);

  EventContext& context_;
  CallStacks& stacks_;
};

}  // namespace strut
