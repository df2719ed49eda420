// What becomes of threads that run into breakpoints, which stay where they are meanwhile.
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
  /// What is displaced by a breakpoint with this tag.
  using Displacement = std::function<Displaced(uint64_t tag)>;

  /// `waiting`: stops that are taken and not handled yet; those of threads that had to be held join them.
  Traps(ProbeHostCounts& counts, std::deque<Waited>& waiting, Others others)
      : displacer_(counts), waiting_(waiting), others_(std::move(others)) {}

  /// What SIGTRAP has stopped a thread. `registers` are read; of a hit %rip is the breakpoint's address.
  enum class Cause : uint8_t {
    Hit,      ///< the thread is at a breakpoint
    Passed,   ///< it was, and is to go on: the breakpoint was removed, or the thread is gone
    Foreign,  ///< a signal of the target's own
    Again,    ///< one that was reported already, and is to be delivered now
  };
  Cause cause_of(ProbedThread& thread, AllRegisters& registers);

  /// For a stop that was looked at and is to be taken and handled later. A stop that is taken keeps no signal: should
  /// the tracer be killed then, a thread behind an int3 would go on there. So it is moved in front of it first.
  void settle(ProbedThread& thread, const Waited& waited);

  /// The thread goes on behind the instruction that `registers`' %rip is at when it is restarted: `ask` says what there
  /// is to do for a breakpoint that is hit for the first time. Without one it goes on at it. False: it is not to be
  /// restarted now, for what the instruction came to (a fault) is among those waiting.
  bool go_over(ProbedThread& thread, AllRegisters& registers, const Displacement& ask);

  /// A signal is about to be delivered: what the target is to see of itself, in its handler's arguments, knows no
  /// slots. The instruction that a thread is about to run in one is done before: who comes back to it would hit its
  /// breakpoint once more, and need not be this thread, nor on this stack (a scheduler that preempts by signals,
  /// setcontext(3)); and who never comes back (siglongjmp(3)) would have been told of a function that it never entered.
  void before_signal(ProbedThread& thread, int signal);
  /// The thread stands at the enter of a call: a child that it makes is to go on behind the instruction itself.
  void before_call(ProbedThread& thread);

  /// All breakpoints have been removed, and the thread, whose stop has been taken, is to be let go. True: it may be
  /// detached as it is, with `signal`. Else it goes on to where it may.
  static bool may_be_left(ProbedThread& thread, const Stop& stop, int& signal);
  /// It has run into a breakpoint, and will stop for that when it gets a CPU.
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
