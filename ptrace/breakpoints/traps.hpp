// Handles threads that hit breakpoints; the breakpoints stay inserted meanwhile.
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "ptrace/breakpoints/displacer.hpp"
#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

/// For the one thread that waits for all that is probed.
class Traps {
 public:
  /// The other threads that the owner holds in this one's memory.
  using Others = std::function<std::vector<ProbedThread*>(const ProbedThread&)>;
  /// The displaced instruction of a breakpoint with this tag.
  using Displacement = std::function<Displaced(uint64_t tag)>;

  /// `waiting`: stops that are taken and not handled yet; those of threads that had to be held join them.
  Traps(ProbeHostCounts& counts, std::deque<Waited>& waiting, Others others)
      : displacer_(counts), waiting_(waiting), others_(std::move(others)) {}

  /// The cause of a thread's SIGTRAP stop. `registers` are read; for a hit %rip is the breakpoint's address.
  enum class Cause : uint8_t {
    Hit,      ///< the thread is at a breakpoint
    Passed,   ///< it was, and must continue: the breakpoint was removed, or the thread is gone
    Foreign,  ///< a signal of the target's own
    Again,    ///< a signal that was reported already, and must be delivered now
  };
  Cause cause_of(ProbedThread& thread, AllRegisters& registers);

  /// For a stop that was looked at and is to be taken and handled later. A stop that is taken keeps no signal: should
  /// the tracer be killed then, a thread behind an int3 would go on there. So it is moved in front of it first.
  void settle(ProbedThread& thread, const Waited& waited);

  /// A restart continues the thread after the instruction at `registers`' %rip: `ask` gives the displaced instruction
  /// of a breakpoint that is hit for the first time. Without a breakpoint it continues at the instruction. False: it
  /// must not be restarted now, since the instruction's result (a fault) is among the waiting stops.
  bool go_over(ProbedThread& thread, AllRegisters& registers, const Displacement& ask);

  /// A signal is about to be delivered: the handler's arguments must not show slots. An instruction that the thread is
  /// about to run in a slot is completed first: a return to it would hit its breakpoint once more, perhaps by another
  /// thread or on another stack (a scheduler that preempts by signals, setcontext(3)); and without a return
  /// (siglongjmp(3)) a function would have been reported that was never entered.
  void before_signal(ProbedThread& thread, int signal);
  /// The thread stands at the enter of a call: a child that it makes is to go on behind the instruction itself.
  void before_call(ProbedThread& thread);

  /// All breakpoints have been removed, and the thread must be detached; its stop has been taken. True: it may be
  /// detached now, with `signal`. Else it continues to a place where it may.
  static bool may_be_left(ProbedThread& thread, const Stop& stop, int& signal);
  /// It has hit a breakpoint, and will stop for that when it gets a CPU.
  static bool is_trapping(Tid tid);

 private:
  bool step_alone(ProbedThread& thread, uint64_t home, AllRegisters& registers);
  void hold_others(const ProbedThread& thread);
  bool do_before_signal(ProbedThread& thread, AllRegisters& registers);
  bool step_before_signal(ProbedThread& thread);

  Displacer displacer_;
  std::deque<Waited>& waiting_;
  Others others_;
};

}  // namespace strut
