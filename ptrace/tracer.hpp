// The tracer: waits for its tracees, tells what they do, and lets them go on.
#pragma once

#include <optional>

#include "core/backend.hpp"
#include "ptrace/stop.hpp"
#include "ptrace/syscall_watch.hpp"
#include "ptrace/teller.hpp"
#include "ptrace/tracee.hpp"

namespace strut {

/// One run. Lives in one thread, which must be the one that waits (ptrace(2): a tracer is a thread).
class Tracer {
 public:
  Tracer(const TraceRequest& request, Sink& sink, Listener& listener);

  Result<Outcome> run();
  BackendStats stats() const;

 private:
  Result<void> begin();
  Result<void> loop();
  Result<void> handle(Tid tid, int status, uint64_t system_time_ns);
  Result<void> handle_stop(Tracee& tracee, const Stop& stop, uint64_t system_time_ns);
  Result<void> handle_death(Tracee& tracee, const Stop& stop, int status);
  Result<void> handle_event(Tracee& tracee, int event);
  Result<void> handle_exec(Tracee& tracee);
  Result<void> handle_signal(Tracee& tracee, int signal);
  Result<void> handle_group_stop(Tracee& tracee, int signal);
  Result<Tracee*> welcome(Tid tid);
  unsigned options() const;
  void go_on(Tracee& tracee, int signal = 0);

  const TraceRequest& request_;
  Listener& listener_;
  Teller teller_;
  SyscallWatch watch_;
  TraceeTable tracees_;
  Outcome outcome_;
  std::optional<Pid> command_;
  uint64_t began_ns_ = 0;
  uint64_t startup_ns_ = 0;
};

}  // namespace strut
