// The tracer's own CPU: where it is pinned, and the affinity and policy that it gets back.
#pragma once

#include <sys/types.h>

#include "process/cpu_mask.hpp"

namespace strut {

/// The CPU of the tracer, the thread that constructs this. The owner changes it under one lock.
class TracerCpu {
 public:
  TracerCpu();
  /// Whether the calling thread may become SCHED_IDLE and SCHED_OTHER again.
  static bool may_leave_idle();

  pid_t tid() const { return tid_; }
  /// The affinity that strut was started with.
  const CpuMask& home() const { return home_; }
  /// home() is a single CPU.
  bool is_only_one() const { return is_only_one_; }
  /// The CPU that the tracer is pinned to; -1: none.
  int number() const { return number_; }
  bool is_pinned() const { return number_ >= 0; }

  /// Called by the tracer. False: home() does not have that CPU, or the kernel refuses.
  bool pin(int cpu);
  /// The tracer is about to pin itself, once it has released the lock.
  void is_about_to_pin(int cpu) { number_ = cpu; }
  void unpin();
  /// Gives the tracer home() back, whatever number() is.
  void go_home() const { set_affinity(tid_, home_); }
  /// `policy`: SCHED_IDLE or SCHED_OTHER. The watcher calls it.
  void set_policy(int policy) const;

 private:
  const pid_t tid_;
  CpuMask home_;
  bool is_only_one_ = false;
  int number_ = -1;
};

}  // namespace strut
