// Keeps the tracer and its tracee on one CPU.
//
// A stop costs two wake-ups: of the tracer, and of the tracee. Across CPUs each of them is an interrupt to a CPU
// that may be asleep: 20 to 100 µs a system call in a virtual machine, where one CPU needs 6. The scheduler puts a
// woken thread on an idle CPU if there is one, so that a running tracer displaces its tracee. There are two remedies:
//
// - Idle: a CPU that runs nothing but SCHED_IDLE threads counts as idle (sched(7)). A tracer that is pinned to its
//   tracee's CPU and is SCHED_IDLE while it serves it keeps both there; nothing of the tracee's is changed. Only a
//   thread with CAP_SYS_NICE, or RLIMIT_NICE of getrlimit(2), may leave SCHED_IDLE again.
// - Narrow: the tracee is left no other CPU than the one the tracer is pinned to. It cannot see that: only a system
// call could show it, and at such a call's entry it stops and gets its CPUs back first (mask_exposure.hpp). Nor does
// the mask outlive strut: a guardian restores it (Guardian). Other users of the machine can see it while calls are
// frequent.
//
// Costs and gains: bench/.
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

#include <signal.h>
#include <sys/types.h>

#include "base/ids.hpp"
#include "process/cpu_mask.hpp"
#include "ptrace/cpu/mask_exposure.hpp"
#include "ptrace/cpu/pinned_wake.hpp"
#include "ptrace/engine/tracee.hpp"
#include "trace/request.hpp"

namespace strut {

/// Whether tracees other than the one that has stopped are in user code.
enum class Company : uint8_t { None, Others };
inline Company company_of(const Tracee& tracee, const TraceeTable& tracees) {
  return tracees.others_run(tracee) ? Company::Others : Company::None;
}

/// How a stop was received. A thread that had stopped at once, before any wait (Glimpse), was on the tracer's own CPU.
enum class Caught : uint8_t { Waiting, AtOnce };

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

/// Serves the thread that made it. Begins when stops come thick and fast or one tracee runs alone, and then follows
/// whichever tracee stops: a command and the shell that waits for it, a pipeline. Puts everything back at its end.
///
/// A watcher thread looks every few milliseconds whether the tracer starves beside busy threads (a SCHED_IDLE one
/// hardly runs), and ends the arrangement for a while if it does, or if there is nothing to do. It also ends where a
/// tracee computes while others run: they would wait for its CPU when they stop.
class CpuFollower {
 public:
  explicit CpuFollower(const TraceRequest& request);
  ~CpuFollower();
  CpuFollower(const CpuFollower&) = delete;
  CpuFollower& operator=(const CpuFollower&) = delete;

  /// Whether the calling thread may become SCHED_IDLE and SCHED_OTHER again.
  static bool may_leave_idle();

  /// This tracee has stopped, at this CLOCK_MONOTONIC time. To be called at every stop; mostly a few comparisons.
  void at_stop(Tid tid, uint64_t time_ns, Company company, Caught caught = Caught::Waiting) {
    uint64_t gap_ns = time_ns - last_stop_ns_;
    last_stop_ns_ = time_ns;
    bool again = tid == last_tid_;
    last_tid_ = tid;
    stops_.store(stops_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    company_.store(company, std::memory_order_relaxed);
    bool dense = gap_ns < kDense_ns;
    if (!engaged()) {
      streak_ = dense || company == Company::None ? streak_ + 1 : 0;
      if (streak_ >= kEngageAfter) engage(tid, time_ns);
      return;
    }
    if (dense) strain_ = std::max(strain_ - 1, 0);
    else if (company == Company::Others && (strain_ += kStrain) > kMaxStrain) return give_way();
    if (!again || caught == Caught::AtOnce || has_one_cpu_) return;  // a single stop is not worth a move
    if (tid != followed_ || (gap_ns > kSuspiciousGap_ns && way_ == Way::Idle) || ++unchecked_ >= kCheckEvery)
      check(tid);
  }
  /// This tracee is at the enter or exit of a call, or in user code, and is about to be restarted until its next call.
  /// To be called at each enter and exit: a call that is left out may show a mask that is not the tracee's.
  void at_call(Tracee& tracee, TraceeTable& tracees) {
    if (way_ == Way::Narrow && engaged()) narrow_or_not(tracee, tracees);
  }
  /// Tracees are to stop at every call, so that none shows a mask that is not the tracee's.
  bool needs_calls() const { return way_ == Way::Narrow; }
  /// A restarted tracee runs at once in the tracer's place.
  bool tracees_run_at_once() const { return way_ == Way::Idle && engaged(); }

  /// It has followed a tracee and given that up because the tracer, or another tracee, waited for the CPU.
  bool has_backed_off() const { return not_before_ns_.load(std::memory_order_relaxed) != 0; }

  /// Puts everything back until stops come thick and fast again.
  void release();
  /// This tracee is about to be detached, others stay: from then on an untraced process may inspect tracees.
  void let_go(Tid tid);
  /// This tracee has died, and has not been waited for.
  void bury(Tid tid);

 private:
  enum class Way : uint8_t { None, Idle, Narrow };
  static constexpr int kEngageAfter = 4;
  static constexpr int kCheckEvery = 256;
  static constexpr uint64_t kSuspiciousGap_ns = 30'000;  ///< a check costs 1 µs
  static constexpr uint64_t kDense_ns = 200'000;
  static constexpr int kStrain = 4;  ///< the weight of a long gap, in dense stops that make up for it
  static constexpr int kMaxStrain = 8;

  struct Watch;
  static Way way_for(const TraceRequest& request);
  void engage(Tid tid, uint64_t time_ns);
  void check(Tid tid);
  void move_idle(Tid tid);
  bool move_locked(Tid tid);
  bool pin_locked(int cpu);
  void release_locked();
  /// Puts everything back for a while: tracees need several CPUs.
  void give_way();
  void narrow_or_not(Tracee& tracee, TraceeTable& tracees);
  bool unseen(const Tracee& tracee, TraceeTable& tracees);
  bool narrow_locked(Tid tid);
  bool begin_watching();
  void watch();
  bool time_to_release(Watch& watch);
  bool starved(Watch& watch);
  bool crowded(Watch& watch);
  void back_off();

  const pid_t self_;  ///< the tracer's tid
  Way way_;
  bool kin_is_traced_;        ///< a tracee's children are tracees too, and so was its parent
  CpuMask home_;              ///< the affinity strut was started with
  bool has_one_cpu_ = false;  ///< it allows no other CPU
  LastCpus last_cpus_;
  Tid followed_{};
  Tid last_tid_{};  ///< for the last stop
  int streak_ = 0;  ///< stops in a row that were dense or without company
  int strain_ = 0;
  int unchecked_ = 0;
  uint64_t last_stop_ns_ = 0;
  uint64_t engaged_at_ns_ = 0;
  std::optional<sigset_t> blocked_before_;  ///< the tracer's blocked signals before it had a guardian

  std::mutex changing_;  ///< held while the tracer's policy or any affinity is changed
  int cpu_ = -1;         ///< pinned to; -1: not pinned
  PinnedWake narrow_;
  std::condition_variable wake_;
  std::atomic<bool> engaged_ = false;
  std::atomic<uint64_t> stops_ = 0;          ///< written by the tracer alone
  std::atomic<uint64_t> not_before_ns_ = 0;  ///< after starving
  std::atomic<Company> company_{};           ///< for the tracee that stopped last
  std::atomic<int32_t> watched_{};           ///< the tid of the tracee that is followed, for the watcher
  uint64_t backoff_ns_;
  bool ending_ = false;
  std::thread watcher_;

  bool engaged() const { return engaged_.load(std::memory_order_relaxed); }
};

}  // namespace strut
