#include "ptrace/engine/restarts.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include "base/clock.hpp"
#include "ptrace/engine/engine.hpp"

namespace strut {

bool Restarts::needs_calls(const Tracee& tracee) const {
  return (settings_.sees_calls && !tracee.is_borrower()) || !tracee.process || tracee.process->starts ||
         tracee.calls_in_slot || tracee.untraced_clone.needs_calls() || tracee.place() == Place::Inside;
}

/// Under a seccomp filter enters announce themselves, and only exits must be waited for.
Restart Restarts::how(const Tracee& tracee) const {
  if (settings_.has_breakpoints && !needs_calls(tracee) && !cpu_->needs_calls()) return Restart::Freely;
  return seccomp_in_force_ && tracee.place() == Place::Outside ? Restart::Freely : Restart::ToSyscall;
}

bool Restarts::go_on(Tracee& tracee, Resumption resumption) {
  if (std::exchange(tracee.to_be_stopped, false)) ::kill(raw(tracee.pid), SIGSTOP);
  if (resumption.delay_ns == 0) {
    restart(tracee.tid, how(tracee), resumption.signal);
    poll_.went_on(tracee.tid);
    return true;
  }
  take(tracee.tid);
  tracee.resume_at_ns = monotonic_ns() + resumption.delay_ns;
  tracee.resume_signal = resumption.signal;
  delayed_++;
  return false;
}

void Restarts::resume_due() {
  if (delayed_ == 0) return;
  uint64_t time = monotonic_ns();
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->resume_at_ns == 0 || tracee->resume_at_ns > time) continue;
    end_delay(*tracee);
    restart(tracee->tid, how(*tracee), tracee->resume_signal);
  }
}

uint64_t Restarts::next_ns() const {
  uint64_t next = UINT64_MAX;
  if (delayed_ == 0) return next;
  for (auto& [tid, tracee] : tracees_)
    if (tracee->resume_at_ns != 0) next = std::min(next, tracee->resume_at_ns);
  return next;
}

void Restarts::end_delay(Tracee& tracee) {
  if (std::exchange(tracee.resume_at_ns, 0) != 0) delayed_--;
}

}  // namespace strut
