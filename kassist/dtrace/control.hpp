// The control page of a D program: whether and where its clauses fire.
#pragma once

#include <cstdint>
#include <optional>

#include "base/ids.hpp"
#include "kassist/wire/dtrace_run.h"

namespace strut {

/// Memory that the programs in the kernel see and change.
class DControl {
 public:
  /// `page` outlives it.
  explicit DControl(d_control& page) : page_(page) {}

  /// A record wakes the poller of the ring (BPF_RB_FORCE_WAKEUP, else BPF_RB_NO_WAKEUP) when the ring holds at least so
  /// many bytes with it. RingDrain writes it while it runs: 1 when it sleeps for long, UINT32_MAX while it polls.
  uint32_t* wake_bytes() { return &page_.wake_bytes; }

  /// Nothing but CPUs' timers and fire() fires in strut's processes: the tracer, and the one that users know, which may
  /// be its parent or itself. To programs fire() is a call of the latter's.
  void leave_out(Pid tracer, Pid known);
  /// A command that is held is a copy of strut until its execve: nothing fires in this process before it runs a
  /// program.
  void wait_for_exec(Pid pid);
  /// The process runs a program, and its linker has mapped the linked libraries.
  void has_started(Pid pid);

  /// The program of DHook::SyscallEntry is attached, and that of SyscallReturn was before. From then on the latter
  /// fires the entries of calls that seccomp denies: these never come to sys_enter.
  void entries_are_seen();
  /// The entry program is about to be detached.
  void entries_are_unseen();

  /// exit() was called. From then on only fire() runs clauses.
  std::optional<int32_t> exit_status() const;
  /// Nothing but fire() runs clauses until open() is called.
  void shut();
  void open();
  /// Nothing but fire() runs clauses any more, as after exit().
  void silence();
  /// Adjusts the offset of walltimestamp from CLOCK_MONOTONIC to the current clock. Once a second or so.
  void adjust_clock();
  /// The aggregation was cleared or truncated.
  void count_restart(uint32_t aggregation);

  /// Children of a process that has this address watched inherit that. False: there are too many addresses.
  bool watch(uint64_t address);
  /// Hits of watched memory so far, of those that a program of the kernel has seen.
  uint64_t watch_hits() const;

  // -- requests of dynamic linkers to arm what they have mapped --
  wire_arming& arming() { return page_.arming; }
  /// The replies are up to date: processes wait for them.
  void linkers_are_answered();
  /// The number of times that a process went on because the reply did not come in time.
  uint64_t linkers_unheld() const;

 private:
  d_control& page_;
  uint32_t times_seen_ = 0;  ///< how often entries_are_seen() was called
};

}  // namespace strut
