// Handles a stop: finds its cause, calls the observer, and continues the tracee.
#pragma once

#include "base/result.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/stop.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

class Engine;

class Stops {
 public:
  explicit Stops(Engine& engine) : engine_(engine) {}

  /// The stop of a tracee, or of a thread that is none yet.
  Result<void> handle(const Waited& waited);
  /// A stop at a call that has been read.
  Result<void> handle_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns);

 private:
  Result<void> handle_stop(Tracee& tracee, const Stop& stop, uint64_t system_time_ns);
  Result<void> handle_syscall(Tracee& tracee, uint64_t system_time_ns);
  Result<void> handle_trap(Tracee& tracee);
  Result<void> handle_access(Tracee& tracee);
  Result<void> handle_signal(Tracee& tracee, int signal);
  Result<void> handle_group_stop(Tracee& tracee, int signal);
  Result<void> handle_event(Tracee& tracee, int event, uint64_t system_time_ns);

  Engine& engine_;
};

}  // namespace strut
