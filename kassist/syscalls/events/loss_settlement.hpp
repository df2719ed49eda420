// Losses as the kernel counted them: those that no record has shown.
#pragma once

#include <unordered_map>

#include "kassist/syscalls/events/life_reports.hpp"
#include "kassist/syscalls/events/loss_reports.hpp"

namespace strut {

/// Events of a thread, and its process as the first of them names it.
struct UnreportedEvents {
  Pid pid{};
  uint64_t count = 0;
};

class LossSettlement {
 public:
  LossSettlement(EventContext& context, LossReports& losses, LifeReports& lives)
      : context_(context), losses_(losses), lives_(lives) {}

  /// As EventBuilder has it.
  Result<void> settle(Tid tid, const wire_loss& loss, uint64_t before_ns);
  Result<void> leave_out(Tid tid, const UnreportedEvents& events);

 private:
  Result<void> settle_one(Tid tid, const wire_loss& loss, uint64_t before_ns);

  EventContext& context_;
  LossReports& losses_;
  LifeReports& lives_;
  std::unordered_map<int32_t, uint64_t> ended_ns_;  ///< by tid: lost exits that were reported
};

}  // namespace strut
