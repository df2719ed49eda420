// The tracer's own CPU: where it is pinned, and the affinity and policy that it gets back.
#pragma once

#include <sys/types.h>

#include "process/cpu_mask.hpp"

namespace strut {

/// The CPUs of the thread that makes it. The owner changes it under one lock.
class TracerCpu {
 public:
  TracerCpu();
  /// Whether the calling thread may become SCHED_IDLE and SCHED_OTHER again.
  static bool may_leave_idle();

  pid_t tid() const { return tid_; }
  /// The affinity strut was started with.
  const CpuMask& home() const { return home_; }
  /// No other CPU is allowed.
  bool is_only_one() const { return is_only_one_; }
  /// Pinned to; -1: not pinned.
  int number() const { return number_; }
  bool is_pinned() const { return number_ >= 0; }

  /// By the tracer itself. False: it is not allowed.
  bool pin(int cpu);
  /// The tracer is about to pin itself without the lock.
  void is_about_to_pin(int cpu) { number_ = cpu; }
  void unpin();
  void go_home() const { set_affinity(tid_, home_); }
  /// SCHED_IDLE, SCHED_OTHER.
  void set_policy(int policy) const;

 private:
  const pid_t tid_;
  CpuMask home_;
  bool is_only_one_ = false;
  int number_ = -1;
};

}  // namespace strut
