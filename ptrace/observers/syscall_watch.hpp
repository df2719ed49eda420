// Follows the system calls of a tracee from stop to stop: filters, tampers, decodes, reports.
#pragma once

#include "ptrace/engine/injector.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/observers/stack_taker.hpp"
#include "ptrace/requests/control.hpp"
#include "trace/event_emitter.hpp"
#include "trace/request.hpp"

namespace strut {

class SyscallWatch {
 public:
  SyscallWatch(const TraceRequest& request, EventEmitter<TraceeTable>& emitter, StackTaker& stacks, Listener& listener)
      : request_(request), emitter_(emitter), stacks_(stacks), injector_(request, listener) {}

  /// Handles a syscall-enter-stop or syscall-exit-stop, and says how the tracee is to go on.
  Result<Resumption> at_stop(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns);
  /// The first stop of a running thread that was attached: learns which call was interrupted by that.
  void at_attach(Tracee& tracee, const SyscallInfo& info);
  /// The tracee was killed at a syscall-stop: nothing can be read of it any more. If it stood at the exit its call is
  /// over.
  Result<void> at_unreadable_stop(Tracee& tracee);
  /// The tracee is dying: an open call will never return.
  Result<void> at_death(Tracee& tracee, const Timestamp& at);
  /// strut detaches the tracee: reports an open call if only the detachment makes it pass the status filter.
  Result<void> at_detach(Tracee& tracee);

  uint64_t unseen() const { return unseen_; }
  /// The number of completely reported calls.
  uint64_t calls_reported() const { return calls_reported_; }

 private:
  Result<Resumption> enter(Tracee& tracee, const SyscallInfo& info);
  Result<Resumption> leave(Tracee& tracee, const SyscallInfo& info);
  void note_call(Tracee& tracee, const SyscallInfo& info);
  Result<void> follow_abi(Tracee& tracee);
  bool decode_and_filter(Tracee& tracee);
  Result<void> report_exit(Tracee& tracee, const Timestamp& at);
  DecodeContext scene(Tracee& tracee) { return {tracee.memory, tracee.around, request_.decode}; }

  const TraceRequest& request_;
  EventEmitter<TraceeTable>& emitter_;
  StackTaker& stacks_;
  Injector injector_;
  uint64_t unseen_ = 0;
  uint64_t calls_reported_ = 0;
};

}  // namespace strut
