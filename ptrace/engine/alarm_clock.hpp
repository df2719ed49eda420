// Interrupts the wait for tracees at a given time, with SIGALRM.
#pragma once

#include <cstdint>

#include <signal.h>

namespace strut {

/// One at a time. While it lives SIGALRM is handled and ITIMER_REAL is its own.
class AlarmClock {
 public:
  AlarmClock();
  ~AlarmClock();
  AlarmClock(const AlarmClock&) = delete;
  AlarmClock& operator=(const AlarmClock&) = delete;

  /// Rings in `in_ns` and then again and again every `every_ns`: a ring that comes just before a wait begins would be
  /// missed otherwise.
  void set(uint64_t in_ns, uint64_t every_ns);
  void stop();
  /// True once after it rang.
  static bool rang();

 private:
  struct sigaction previous_;
  sigset_t previous_mask_;
};

}  // namespace strut
