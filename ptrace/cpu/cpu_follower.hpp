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

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include <signal.h>

#include "base/ids.hpp"
#include "ptrace/cpu/backoff.hpp"
#include "ptrace/cpu/last_cpus.hpp"
#include "ptrace/cpu/mask_exposure.hpp"
#include "ptrace/cpu/pinned_wake.hpp"
#include "ptrace/cpu/stop_pace.hpp"
#include "ptrace/cpu/tracer_cpu.hpp"
#include "ptrace/cpu/tracer_looks.hpp"
#include "ptrace/engine/tracee.hpp"
#include "trace/request.hpp"

namespace strut {

inline Company company_of(const Tracee& tracee, const TraceeTable& tracees) {
  return tracees.others_run(tracee) ? Company::Others : Company::None;
}

/// How a stop was received. A thread that had stopped at once, before any wait (Glimpse), was on the tracer's own CPU.
enum class Caught : uint8_t { Waiting, AtOnce };

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

  /// This tracee has stopped, at this CLOCK_MONOTONIC time. To be called at every stop; mostly a few comparisons.
  void at_stop(Tid tid, uint64_t time_ns, Company company, Caught caught = Caught::Waiting) {
    seen_.stops.store(seen_.stops.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    seen_.company.store(company, std::memory_order_relaxed);
    using Verdict = StopPace::Verdict;
    Verdict verdict = pace_.at_stop(tid, time_ns, company, engaged());
    if (verdict == Verdict::Nothing) return;
    if (verdict == Verdict::Engage) return engage(tid, time_ns);
    if (verdict == Verdict::GiveWay) return give_way();
    if (caught == Caught::AtOnce || tracer_.is_only_one()) return;
    if (tid != followed() || pace_.is_check_due(way_ == Way::Idle)) check(tid);
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
  bool has_backed_off() const { return backoff_.has_begun(); }

  /// Puts everything back until stops come thick and fast again.
  void release();
  /// This tracee is about to be detached, others stay: from then on an untraced process may inspect tracees.
  void let_go(Tid tid);
  /// This tracee has died, and has not been waited for.
  void bury(Tid tid);

 private:
  enum class Way : uint8_t { None, Idle, Narrow };
  /// The watcher's view of the tracer's stops.
  struct Seen {
    std::atomic<uint64_t> stops = 0;  ///< written by the tracer alone
    std::atomic<Company> company{};   ///< for the tracee that stopped last
    std::atomic<Tid> followed{};      ///< the tracee that is followed
  };
  static Way way_for(const TraceRequest& request);
  void engage(Tid tid, uint64_t time_ns);
  void check(Tid tid);
  void move_idle(Tid tid);
  bool move_locked(Tid tid);
  void release_locked();
  /// Puts everything back for a while: tracees need several CPUs.
  void give_way();
  void narrow_or_not(Tracee& tracee, TraceeTable& tracees);
  bool unseen(const Tracee& tracee, TraceeTable& tracees) const;
  bool narrow_locked(Tid tid);
  bool begin_watching();
  void watch();
  bool time_to_release(TracerLooks& looks);
  bool engaged() const { return engaged_.load(std::memory_order_relaxed); }
  Tid followed() const { return seen_.followed.load(std::memory_order_relaxed); }

  Way way_;
  bool kin_is_traced_;  ///< a tracee's children are tracees too, and so was its parent
  LastCpus last_cpus_;
  StopPace pace_;
  std::optional<sigset_t> blocked_before_;  ///< the tracer's blocked signals before it had a guardian

  std::mutex changing_;  ///< held while the tracer's policy or any affinity is changed
  TracerCpu tracer_;
  PinnedWake narrow_;
  Backoff backoff_;
  std::condition_variable wake_;
  std::atomic<bool> engaged_ = false;
  Seen seen_;
  bool ending_ = false;
  std::thread watcher_;
};

}  // namespace strut
