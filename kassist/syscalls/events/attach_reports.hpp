// Where following begins in the middle of a life, and where it ends there.
#pragma once

#include <span>

#include "kassist/syscalls/events/life_reports.hpp"

namespace strut {

class AttachReports {
 public:
  AttachReports(EventContext& context, CallStacks& stacks, SignalReports& signals, CallReports& calls,
                LifeReports& lives)
      : context_(context), stacks_(stacks), signals_(signals), calls_(calls), lives_(lives) {}

  /// As EventBuilder has them.
  Result<void> expect_command(Pid pid, bool is_child);
  Result<void> attach(std::span<const wire_seed> seeds);
  Result<void> leave_all();
  Result<void> look_for_living(uint64_t reported_before_ns);
  /// WIRE_SEEDED: a thread came to be one that a system-wide trace follows.
  Result<void> joined(const Order::Entry& entry);
  /// WIRE_LEFT: the kernel programs do not follow the thread any more.
  Result<void> stop_following(FollowedThread& thread, uint64_t at_ns);

 private:
  Result<void> resume(FollowedThread& thread, const wire_seed& seed);
  Result<void> report_gone(FollowedThread& thread);

  EventContext& context_;
  CallStacks& stacks_;
  SignalReports& signals_;
  CallReports& calls_;
  LifeReports& lives_;
};

}  // namespace strut
