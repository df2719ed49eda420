// Takes the user stacks of stopped tracees, where the request wants them.
#pragma once

#include "ptrace/engine/tracee.hpp"
#include "trace/probe_host.hpp"
#include "trace/request.hpp"
#include "trace/unwinder.hpp"

namespace strut {

class StackTaker {
 public:
  /// `unwinder`: nullptr where no stacks are wanted; must outlive this.
  StackTaker(const TraceRequest& request, Unwinder* unwinder) : limit_(request.stack_frames), unwinder_(unwinder) {}

  /// The stack of a stopped tracee; nullptr: not wanted, or the tracee runs 32-bit code. Valid until the next one is
  /// taken.
  const Stack* take(Tracee& tracee);
  /// With registers that the caller has read, and memory as it would be without strut.
  const Stack* take(const Tracee& tracee, const AllRegisters& registers, Memory& memory);
  /// Keeps the stack with which a call is entered: when it returns that may be gone (rt_sigreturn), or the thread.
  void at_enter(Tracee& tracee);
  /// The stack that at_enter() kept; for the execve of the launched command the new program's.
  const Stack* at_exit(Tracee& tracee);
  /// A call returned that may have changed mappings.
  void after_call(const Tracee& tracee);
  /// Other code is mapped.
  void code_changed(Pid pid);
  /// The process runs another program.
  void after_exec(const Tracee& tracee);
  /// The process is no more.
  void gone(Pid pid);

 private:
  bool wanted() const { return unwinder_ != nullptr && limit_ != 0; }

  size_t limit_;
  Unwinder* unwinder_;
  Stack new_program_;
};

}  // namespace strut
