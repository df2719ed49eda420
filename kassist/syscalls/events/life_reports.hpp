// Births, new programs, exits and detaches as events.
#pragma once

#include <optional>

#include "kassist/syscalls/events/call_reports.hpp"
#include "kassist/syscalls/events/loss_reports.hpp"

namespace strut {

class LifeReports {
 public:
  LifeReports(EventContext& context, CallStacks& stacks, SignalReports& signals, CallReports& calls,
              LossReports& losses)
      : context_(context), stacks_(stacks), signals_(signals), calls_(calls), losses_(losses) {}

  Result<void> forked(FollowedThread& parent, RecordView record);
  Result<void> execed(const Order::Entry& entry);
  Result<void> exited(FollowedThread& thread, const wire_record& record);
  /// A call that is open when its thread exits never returns, unless a fatal signal waited until it had.
  Result<void> end_call(FollowedThread& thread, uint64_t at_ns);
  /// `status` is in wait4(2)'s form. Drops the thread.
  Result<void> report_exit(FollowedThread& thread, int status, uint64_t at_ns);
  /// The thread has no further events. Drops it.
  Result<void> detach(FollowedThread& thread, uint64_t at_ns);
  /// As EventBuilder has them.
  bool awaits_heir();
  Result<void> report_heirs_end(std::optional<int> wait_status);

 private:
  Result<void> replace_leader(Tid leader, Tid former, uint64_t at_ns);
  Result<void> report_leader_exit(Pid pid);

  EventContext& context_;
  CallStacks& stacks_;
  SignalReports& signals_;
  CallReports& calls_;
  LossReports& losses_;
};

}  // namespace strut
