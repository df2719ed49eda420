// Records that the kernel had no room for, as events.
#pragma once

#include <unordered_map>

#include "kassist/syscalls/events/event_context.hpp"

namespace strut {

class LossReports {
 public:
  explicit LossReports(EventContext& context) : context_(context) {}

  /// Reports what was lost between the thread's last record and this one.
  Result<void> account(FollowedThread& thread, const wire_record& record);
  Result<void> report(FollowedThread& thread, uint64_t at_ns, uint64_t count);
  /// Reported for this id, whatever process had it.
  uint64_t lost_of(Tid tid) { return lost_of_[raw(tid)]; }
  uint64_t lost() const { return lost_; }

 private:
  EventContext& context_;
  uint64_t lost_ = 0;
  std::unordered_map<int32_t, uint64_t> lost_of_;
};

}  // namespace strut
