// The threads to halt and sample at ticks of clocks.
//
// A clock goes by its process's CPU time (CLOCK_PROCESS_CPUTIME_ID), so that there are as many ticks as the process had
// CPU time for, on however many CPUs and however late the tracer comes. Only running threads are halted: a thread that
// sleeps in a call is left there, since it would notice an interruption (signal(7), "Interruption of system calls ...
// by stop signals").
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "ptrace/engine/tracee.hpp"

namespace strut {

class Samples {
 public:
  /// ProbeHostRequest::clocks_ns.
  void set(std::vector<uint64_t> clocks_ns);
  /// When look() is to be called, CLOCK_MONOTONIC; UINT64_MAX: never.
  uint64_t next_ns() const { return next_ns_; }

  /// Gives ticks that are due to threads that run, or have just come to a stop. Returns those that are to be
  /// interrupted for it.
  std::vector<Tracee*> look(const TraceeTable& threads, uint64_t now_ns);
  void forget(Pid pid) { processes_.erase(raw(pid)); }

  /// A call that an interruption ended with EINTR is made again: `registers` are changed, and true is returned. Not
  /// where a signal may have ended it, and not close(2), which has closed by then.
  static bool make_again(Tid tid, AllRegisters& registers);

 private:
  struct Process {
    uint64_t from_ns = 0;         ///< for its CPU time
    std::vector<uint64_t> given;  ///< ticks of each clock
  };
  std::vector<uint64_t> take_due(Pid pid);
  struct Runner {
    Tracee* thread;
    bool is_at_stop;
  };
  std::vector<Runner> who_runs(std::vector<Tracee*> threads, uint64_t most) const;

  std::vector<uint64_t> clocks_ns_;
  uint64_t shortest_ns_ = 0, next_ns_ = UINT64_MAX;
  std::map<int32_t, Process> processes_;
  uint64_t turns_ = 0;
  long cpus_ = 1;
  std::minstd_rand phase_;
};

}  // namespace strut
