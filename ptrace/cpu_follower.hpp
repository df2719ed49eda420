// Keeps the tracer on its tracee's CPU.
//
// A stop costs two wake-ups: the tracee's of the tracer and back. Across CPUs each of them is an interrupt to a CPU that
// may be asleep: 20 to 100 µs a system call in a virtual machine, where one CPU needs 6. The scheduler puts a woken thread
// on an idle CPU if there is one, and takes one that runs nothing but SCHED_IDLE threads for idle (sched(7)). So a
// tracer that is pinned to its tracee's CPU and is SCHED_IDLE while it serves it keeps both there; the tracee's own
// affinity and policy, which it could see, are never touched. Costs and gains: bench/.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <sched.h>
#include <sys/types.h>

#include "core/ids.hpp"

namespace strut {

/// Whether tracees other than the one that has stopped are in user code.
enum class Company : uint8_t { Nobody, Others };

/// Reads from /proc where threads ran last, and keeps the files of the latest few open.
class LastCpus {
 public:
  LastCpus() { files_.fill({0, -1}); }
  ~LastCpus();
  LastCpus(const LastCpus&) = delete;
  LastCpus& operator=(const LastCpus&) = delete;

  std::optional<int> of(Tid tid);

 private:
  struct File {
    int32_t tid;
    int fd;
  };
  std::array<File, 8> files_;  ///< by the lowest bits of the tid
};

/// Serves the thread that made it, and only where the policy can be taken back (CAP_SYS_NICE, or RLIMIT_NICE of
/// getrlimit(2)). Begins when stops come thick and fast or one tracee runs alone, and then follows whichever tracee stops:
/// a command and the shell that waits for it, a pipeline. Puts everything back at its end.
///
/// A SCHED_IDLE thread hardly runs beside a busy one: a watcher thread looks every few milliseconds whether the tracer
/// starves, and ends the arrangement for a while if it does, or if there is nothing to do. It also ends where a tracee
/// computes while others run: they would wait for its CPU when they stop.
class CpuFollower {
 public:
  CpuFollower();
  ~CpuFollower();
  /// Whether the calling thread may become SCHED_IDLE and SCHED_OTHER again.
  static bool permitted();
  CpuFollower(const CpuFollower&) = delete;
  CpuFollower& operator=(const CpuFollower&) = delete;

  /// This tracee has stopped, at this CLOCK_MONOTONIC time. To be called at every stop; mostly a few comparisons.
  void at_stop(Tid tid, uint64_t time_ns, Company company) {
    uint64_t gap_ns = time_ns - last_stop_ns_;
    last_stop_ns_ = time_ns;
    bool again = tid == last_tid_;
    last_tid_ = tid;
    bool dense = gap_ns < kDense_ns;
    if (!engaged()) {
      streak_ = dense || company == Company::Nobody ? streak_ + 1 : 0;
      if (streak_ >= kEngageAfter) engage(tid, time_ns);
      return;
    }
    if (dense) strain_ = std::max(strain_ - 1, 0);
    else if (company == Company::Others && (strain_ += kStrain) > kMostStrain) return release();
    if (!again) return;  // one that stops once is not worth the way
    if (tid != followed_ || gap_ns > kSuspiciousGap_ns || ++unchecked_ >= kCheckEvery) check(tid);
  }
  /// A restarted tracee runs at once in the tracer's place.
  bool engaged() const { return engaged_.load(std::memory_order_relaxed); }

 private:
  static constexpr int kEngageAfter = 4;
  static constexpr int kCheckEvery = 256;
  static constexpr uint64_t kSuspiciousGap_ns = 30'000;  ///< a check costs 1 µs
  static constexpr uint64_t kDense_ns = 200'000;
  static constexpr int kStrain = 4;  ///< of a long gap in company, in dense stops that make up for it
  static constexpr int kMostStrain = 8;

  void engage(Tid tid, uint64_t time_ns);
  void release();
  void check(Tid tid);
  bool move_locked(Tid tid);
  void release_locked();
  bool begin_watching();
  void watch();
  bool time_to_release(int& starved, int& idle, std::string& running);

  pid_t self_;                  ///< the tracer's tid
  bool possible_;
  cpu_set_t home_;              ///< the affinity strut was started with
  LastCpus last_cpus_;
  Tid followed_{};
  Tid last_tid_{};              ///< of the last stop
  int streak_ = 0;              ///< stops in a row that were dense or without company
  int strain_ = 0;
  int unchecked_ = 0;
  uint64_t last_stop_ns_ = 0;

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
