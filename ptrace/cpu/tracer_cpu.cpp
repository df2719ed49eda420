#include "ptrace/cpu/tracer_cpu.hpp"

#include <cerrno>
#include <optional>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

namespace strut {

/// To leave SCHED_IDLE, a thread needs the right to lower its nice value (sched(7)).
bool TracerCpu::may_leave_idle() {
  if (::sched_getscheduler(0) != SCHED_OTHER) return false;
  errno = 0;
  int nice = ::getpriority(PRIO_PROCESS, 0);
  if (errno != 0 || ::setpriority(PRIO_PROCESS, 0, nice - 1) != 0) return false;
  bool raised = ::getpriority(PRIO_PROCESS, 0) == nice - 1;
  ::setpriority(PRIO_PROCESS, 0, nice);
  return raised;
}

TracerCpu::TracerCpu() : tid_(::gettid()) {
  if (std::optional<CpuMask> home = affinity_of(0)) home_ = *home;
  is_only_one_ = home_.count() < 2;
}

bool TracerCpu::pin(int cpu) {
  if (cpu == number_) return true;
  if (!home_.contains(cpu) || !set_affinity(0, CpuMask::only(cpu))) return false;
  number_ = cpu;
  return true;
}

void TracerCpu::unpin() {
  number_ = -1;
  go_home();
}

void TracerCpu::set_policy(int policy) const {
  sched_param none{};
  ::sched_setscheduler(tid_, policy, &none);
}

}  // namespace strut
