// Real-time priority for threads that cannot wait on a busy machine.
#pragma once

#include <sched.h>
#include <sys/resource.h>

namespace strut {

/// While it lives this thread goes before all others, and so do the threads that it starts, as far as that is
/// permitted.
class RealTime {
 public:
  RealTime() {
    nice_ = ::getpriority(PRIO_PROCESS, 0);  // this thread's
    sched_param first{.sched_priority = 1};
    goes_first_ = ::sched_getscheduler(0) == SCHED_OTHER && ::sched_setscheduler(0, SCHED_FIFO, &first) == 0;
    if (!goes_first_) is_nicer_ = ::setpriority(PRIO_PROCESS, 0, -20) == 0;
  }
  ~RealTime() {
    sched_param as_before{};
    if (goes_first_) ::sched_setscheduler(0, SCHED_OTHER, &as_before);  // as nice as it was
    if (is_nicer_) ::setpriority(PRIO_PROCESS, 0, nice_);
  }
  RealTime(const RealTime&) = delete;
  RealTime& operator=(const RealTime&) = delete;

 private:
  int nice_ = 0;
  bool goes_first_ = false;
  bool is_nicer_ = false;
};

}  // namespace strut
