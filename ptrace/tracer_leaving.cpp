// How strut lets go of tracees that live on.
#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

#include "core/clock.hpp"
#include "ptrace/tracer.hpp"

namespace strut {

namespace {

/// A tracee in an uninterruptible sleep (a vfork parent, a hung disk) cannot be stopped. Past this time the rest is left to
/// the kernel, which detaches them when strut ends.
constexpr uint64_t kPatience_ns = 1'000'000'000;

}  // namespace

Result<void> Tracer::leave_all() {
  leaving_since_ns_ = monotonic_ns();
  cpu_->release();
  if (functions_) functions_->remove_all();
  // A command that strut launched ends with it, as it would if the signal had come to both from a terminal.
  if (outcome_.interrupted_by != 0 && command_ && command_is_child_ && tracees_.find(*command_)) {
    ::kill(raw(*command_), SIGCONT);
    ::kill(raw(*command_), outcome_.interrupted_by);
  }
  if (kill_on_exit_) {
    tracees_.clear();
    return {};
  }
  std::vector<Tid> standing;
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->resume_at_ns != 0) standing.push_back(tracee->tid);
    else interrupt(tracee->tid);
  }
  for (Tid tid : standing) {
    if (Tracee* tracee = tracees_.find(tid)) TRY_VOID(functions_ ? stand(*tracee, TrapStop{}) : let_go(*tracee, 0));
  }
  set_alarm();
  return {};
}

Result<void> Tracer::let_go(Tracee& tracee, int signal) {
  TRY_VOID(watch_.at_detach(tracee));
  cpu_->let_go(tracee.tid);
  detach(tracee.tid, signal);
  if (tracee.is_borrower()) return forget(tracee);
  DetachedEvent detached{tracee.place() == Place::Inside && tracee.announced};
  if (detached.in_call) {
    detached.call = &tracee.call;
    detached.decoded = &tracee.decoded;
  }
  TRY_VOID(teller_.tell(tracee, now(), 0, detached));
  return forget(tracee);
}

Result<void> Tracer::let_go_at(Tracee& tracee, const Stop& stop) {
  return functions_ ? stand(tracee, stop) : let_go(tracee, pending_signal(stop));
}

Result<void> Tracer::give_up_rest() {
  if (monotonic_ns() - leaving_since_ns_ < kPatience_ns) return {};
  if (functions_) return leave_rest();
  while (!tracees_.empty()) TRY_VOID(let_go(*tracees_.begin()->second, 0));
  return {};
}

}  // namespace strut
