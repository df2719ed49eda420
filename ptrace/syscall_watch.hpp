// Follows the system calls of a tracee from stop to stop: filters, decodes, tells.
#pragma once

#include "core/request.hpp"
#include "ptrace/control.hpp"
#include "ptrace/teller.hpp"
#include "ptrace/tracee.hpp"

namespace strut {

class SyscallWatch {
 public:
  SyscallWatch(const TraceRequest& request, Teller& teller) : request_(request), teller_(teller) {}

  /// Handles a syscall-enter-stop or syscall-exit-stop.
  Result<void> at_stop(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns);
  /// The tracee died: an open call will never return.
  Result<void> at_death(Tracee& tracee, const Moment& at);

  uint64_t unseen() const { return unseen_; }

 private:
  Result<void> enter(Tracee& tracee, const SyscallInfo& info);
  Result<void> leave(Tracee& tracee, const SyscallInfo& info);
  Result<void> tell_exit(Tracee& tracee, const Moment& at);
  Scene scene(Tracee& tracee) { return {tracee.memory, tracee.around, request_.decode}; }

  const TraceRequest& request_;
  Teller& teller_;
  uint64_t unseen_ = 0;
};

}  // namespace strut
