// Keeps the tracer on its tracee's CPU.
//
// A stop costs two wake-ups: the tracee's of the tracer and back. Across CPUs each of them is an interrupt to a CPU that
// may be asleep: 20 to 100 µs a system call in a virtual machine, where one CPU needs 6. The scheduler puts a woken thread
// on an idle CPU if there is one, and takes one that runs nothing but SCHED_IDLE threads for idle (sched(7)). So a
// tracer that is pinned to its tracee's CPU and is SCHED_IDLE while it serves it keeps both there; the tracee's own
// affinity and policy, which it could see, are never touched. Costs and gains: bench/.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include <sched.h>
#include <sys/types.h>

#include "core/ids.hpp"

namespace strut {

/// Serves the thread that made it. Only one tracee at a time is followed, and only while no other one stops; only where
/// the policy can be taken back (CAP_SYS_NICE, or RLIMIT_NICE of getrlimit(2)). Puts everything back at its end.
///
/// A SCHED_IDLE thread hardly runs beside a busy one: a watcher thread looks every few milliseconds whether the tracer
/// starves, and ends the arrangement for a while if it does, or if there is nothing to do.
class CpuFollower {
 public:
  CpuFollower();
  ~CpuFollower();
  CpuFollower(const CpuFollower&) = delete;
  CpuFollower& operator=(const CpuFollower&) = delete;

  /// This tracee has stopped, at this CLOCK_MONOTONIC time. To be called at every stop; mostly a comparison.
  void at_stop(Tid tid, uint64_t time_ns) {
    uint64_t gap_ns = time_ns - last_stop_ns_;
    last_stop_ns_ = time_ns;
    if (tid != followed_) return take_up(tid);
    if (!engaged_.load(std::memory_order_relaxed)) {
      if (++streak_ >= kEngageAfter && time_ns >= not_before_ns_.load(std::memory_order_relaxed)) engage();
    } else if (gap_ns > kSuspiciousGap_ns || ++unchecked_ >= kCheckEvery) {
      check(gap_ns);
    }
  }

 private:
  static constexpr int kEngageAfter = 8;
  static constexpr int kCheckEvery = 256;
  static constexpr uint64_t kSuspiciousGap_ns = 50'000;

  void take_up(Tid tid);
  void engage();
  void check(uint64_t gap_ns);
  bool move_locked();
  void release_locked();
  bool begin_watching();
  void watch();
  bool time_to_release(int& starved, int& idle, std::string& running);

  pid_t self_;                  ///< the tracer's tid
  bool possible_;
  cpu_set_t home_;              ///< the affinity strut was started with
  Tid followed_{};
  int streak_ = 0;              ///< stops of `followed_` in a row
  int unchecked_ = 0;
  int gaps_to_skip_ = 0;        ///< suspicious gaps that turned out harmless make further ones less suspicious
  int skipped_gaps_ = 0;
  uint64_t last_stop_ns_ = 0;
  int stat_fd_ = -1;            ///< /proc/TID/stat of `followed_`

  std::mutex changing_;         ///< held by whoever changes the tracer's policy and affinity
  int cpu_ = -1;                ///< pinned to; -1: not pinned
  std::condition_variable wake_;
  std::atomic<bool> engaged_ = false;
  std::atomic<uint64_t> not_before_ns_ = 0;  ///< after starving
  std::atomic<int32_t> watched_{};           ///< the tid of the tracee that is followed, for the watcher
  uint64_t backoff_ns_;
  bool ending_ = false;
  std::thread watcher_;
};

}  // namespace strut
