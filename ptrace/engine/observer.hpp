// Observers of the stops of an engine's tracees: they report a trace, or serve a probe host.
#pragma once

#include <cstdint>
#include <optional>

#include "ptrace/engine/injector.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "x86/displaced.hpp"

namespace strut {

/// The decision about a signal that is about to be delivered.
struct Delivery {
  int signal = 0;  ///< 0: none is delivered
  enum class Then : uint8_t { GoesOn, IsAbandoned } then = Then::GoesOn;
};

/// Whether a tracee that has executed a program is traced further.
enum class AfterExec : uint8_t { Traced, Released };

/// The tracee is stopped during each call, and is continued after it. An error ends the run.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;

  // -- stops
  /// At a system call's enter, its seccomp-stop or its exit. To be noted in tracee.call and by Tracee::move_to(), which
  /// the engine relies on.
  virtual Result<Resumption> at_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) = 0;
  /// The tracee was killed at a syscall-stop: nothing can be read of it any more.
  virtual Result<void> at_unreadable_call(Tracee&) { return {}; }
  /// The tracee is about to execute the instruction with this breakpoint, at %rip.
  virtual Result<void> at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag) = 0;
  /// The tracee has accessed watched memory, with its last instruction.
  virtual Result<void> at_access(Tracee&, const MemoryHits&) { return {}; }
  /// A new thread does not have the watched memory of its process.
  virtual void unwatched(Tracee&, const Error&) {}
  /// The emulation of a breakpoint's displaced instruction: called at its first hit.
  virtual Displaced displaced(const ProbedProcess& process, uint64_t tag) = 0;
  virtual Result<Delivery> at_signal(Tracee& tracee, int signal) = 0;
  /// A group-stop begins.
  virtual Result<void> at_group_stop(Tracee&, int) { return {}; }
  /// The first stop of a thread that ran when it was attached to.
  virtual void at_attach(Tracee&, const SyscallInfo&) {}
  /// A tracee with Tracee::ticks has stopped. `registers`: at a breakpoint, else nullptr.
  virtual void at_ticks(Tracee&, const AllRegisters*) {}

  // -- lives
  /// At the event that reports a child, which may have its first stop already. Only where there are breakpoints.
  virtual void at_child_event(Tracee&, Tid) {}
  /// A followed process is going to begin with its parent's breakpoints.
  virtual void expects(Pid, Pid) {}
  /// A followed thread or process is at its first stop. `by`: the call that made it, nullptr: not known.
  virtual Result<void> at_birth(Tracee& child, Tid parent, const SyscallDesc* by) = 0;
  /// A thread that has called execve gets its leader's id; `leader` is not traced any more then. nullptr: it was not.
  virtual Result<void> before_rename(Tracee&, Tid, [[maybe_unused]] Tracee* leader) { return {}; }
  virtual Result<void> after_rename(const Tracee&, [[maybe_unused]] Tid former, [[maybe_unused]] Tracee& leader) {
    return {};
  }
  /// Before the first instruction of another program, alone in its process, which has no breakpoints.
  virtual Result<AfterExec> at_exec(Tracee& tracee) = 0;
  /// At PTRACE_EVENT_EXIT.
  virtual Result<void> at_end(Tracee& tracee) = 0;
  /// The thread is dead, and no tracee any more when this returns.
  virtual Result<void> after_death(Tracee&, const Stop&, [[maybe_unused]] int status) { return {}; }
  /// A process has no tracee any more; nullopt: it was released. Its children have begun.
  virtual void process_gone(Pid, std::optional<int>) {}
  /// The tracee is about to be detached, and has been.
  virtual Result<void> before_release(Tracee&) { return {}; }
  virtual Result<void> after_release(Tracee&) { return {}; }

  // -- code of processes that may have breakpoints
  /// A process with a starting dynamic linker has mapped code.
  virtual void code_mapped(Pid) {}
  /// The dynamic linker of a process has started its program.
  virtual void linker_done(Pid) {}
};

}  // namespace strut
