#include "ptrace/engine/engine.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.hpp"

namespace strut {
namespace {

constexpr uint64_t kMillisecond_ns = 1'000'000;

}  // namespace

Engine::Engine(const EngineSettings& settings)
    : settings_(settings), tracees_(settings.pidfds), stops_(tracees_, newborns_, settings.usage, settings.fairness) {
  if (settings.has_breakpoints) probes_.emplace(tracees_, stops_.waiting());
}

void Engine::begin(EngineObserver& observer, const TraceRequest& cpus) {
  observer_ = &observer;
  alarm_.emplace();
  cpu_.emplace(cpus);
}

Result<void> Engine::end() {
  if (are_killed()) tracees_.clear();
  while (!tracees_.empty()) TRY_VOID(release(*tracees_.begin()->second, 0));
  cpu_.reset();
  alarm_.reset();
  return {};
}

/// By the kernel, when strut ends.
bool Engine::are_killed() const { return is_leaving() && (settings_.options & PTRACE_O_EXITKILL) != 0; }

bool Engine::is_over() const {
  return are_killed() || (tracees_.empty() && newborns_.empty() && !(probes_ && probes_->awaits_any()));
}

// -- waiting ----------------------------------------------------------------------------------------------------------

Result<Engine::Step> Engine::step() {
  if (SyscallInfo info{}; Tracee* tracee = polled_call(info)) {
    cpu_->at_stop(tracee->tid, monotonic_ns(), company_of(*tracee), Caught::AtOnce);
    TRY_VOID(handle_call(*tracee, info, 0));
    return Step::Stop;
  }
  std::optional<Waited> waited = polled_trap();
  if (!waited) waited = stops_.next();
  if (!waited && errno != EINTR) return Step::NoTracee;  // ECHILD
  if (!waited) {
    if (is_leaving()) TRY_VOID(leaving_.at_quiet());
    return Step::Signal;
  }
  leaving_.note_stop();
  TRY_VOID(handle(*waited));
  return Step::Stop;
}

Tracee* Engine::polled() {
  Tid tid = is_leaving() ? Tid{} : stops_.worth_a_poll();
  return tid == Tid{} ? nullptr : tracees_.find(tid);
}

Tracee* Engine::polled_call(SyscallInfo& info) {
  Tracee* tracee = probes_ ? nullptr : polled();
  return tracee && stops_.poll().catches(*tracee, seccomp_in_force_, chance(), info) ? tracee : nullptr;
}

/// For the thread that stops at breakpoints only.
std::optional<Waited> Engine::polled_trap() {
  Tracee* tracee = probes_ ? polled() : nullptr;
  if (!tracee || restart_of(*tracee) != Restart::Freely || !stops_.poll().catches_trap(tracee->tid, chance()))
    return std::nullopt;
  tracee->is_at_int3 = true;
  return stopped_by(tracee->tid, SIGTRAP);
}

// -- continuing -------------------------------------------------------------------------------------------------------

bool Engine::needs_calls(const Tracee& tracee) const {
  return (settings_.sees_calls && !tracee.is_borrower()) || !tracee.process || tracee.process->starts ||
         tracee.calls_in_slot || tracee.untraced_clone.needs_calls() || tracee.place() == Place::Inside;
}

/// Under a seccomp filter enters announce themselves, and only exits must be waited for.
Restart Engine::restart_of(const Tracee& tracee) const {
  if (probes_ && !needs_calls(tracee) && !cpu_->needs_calls()) return Restart::Freely;
  return seccomp_in_force_ && tracee.place() == Place::Outside ? Restart::Freely : Restart::ToSyscall;
}

void Engine::go_on(Tracee& tracee, Resumption how) {
  if (std::exchange(tracee.to_be_stopped, false)) ::kill(raw(tracee.pid), SIGSTOP);
  if (how.delay_ns == 0) {
    restart(tracee.tid, restart_of(tracee), how.signal);
    stops_.poll().went_on(tracee.tid);
    return;
  }
  take(tracee.tid);
  tracee.resume_at_ns = monotonic_ns() + how.delay_ns;
  tracee.resume_signal = how.signal;
  delayed_++;
  set_alarm(alarm_ns_, again_ns_);
}

void Engine::resume_due() {
  if (delayed_ == 0) return;
  uint64_t time = monotonic_ns();
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->resume_at_ns == 0 || tracee->resume_at_ns > time) continue;
    tracee->resume_at_ns = 0;
    delayed_--;
    restart(tracee->tid, restart_of(*tracee), tracee->resume_signal);
  }
}

bool Engine::rang() {
  if (!AlarmClock::rang()) return false;
  resume_due();
  return true;
}

void Engine::set_alarm(uint64_t at_ns, uint64_t again_ns) {
  alarm_ns_ = at_ns;
  again_ns_ = again_ns;
  if (delayed_ != 0)
    for (auto& [tid, tracee] : tracees_)
      if (tracee->resume_at_ns != 0) at_ns = std::min(at_ns, tracee->resume_at_ns);
  uint64_t time = monotonic_ns();
  if (is_leaving()) at_ns = time + kMillisecond_ns;
  if (at_ns == UINT64_MAX) return alarm_->stop();
  if (delayed_ != 0 || is_leaving()) again_ns = kMillisecond_ns;
  alarm_->set(at_ns > time ? at_ns - time : 1000, again_ns);
}

// -- letting go -------------------------------------------------------------------------------------------------------

Result<void> Engine::leave(LeaveThem as) {
  leaving_.begin(as);
  cpu_->release();
  if (probes_) probes_->remove_all();
  if (is_over()) return {};
  std::vector<Tid> delayed;
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->resume_at_ns != 0) delayed.push_back(tracee->tid);
    else if (!tracee->is_launching) interrupt(tracee->tid);
  }
  for (Tid tid : delayed)
    if (Tracee* tracee = tracees_.find(tid)) TRY_VOID(leaving_.at_stop(*tracee, TrapStop{}));
  set_alarm(alarm_ns_, again_ns_);
  return {};
}

Result<void> Engine::release(Tracee& tracee, int signal) {
  TRY_VOID(observer_->before_release(tracee));
  cpu_->let_go(tracee.tid);
  // It comes before the thread runs another instruction, whatever kind of stop it is at.
  if (leaving_.leaves_stopped() && !tracee.is_bystander())
    ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), SIGSTOP);
  detach(tracee.tid, signal);
  TRY_VOID(observer_->after_release(tracee));
  return forget(tracee, std::nullopt);
}

/// It has not stopped.
Result<void> Engine::let_run(Tracee& tracee) {
  TRY_VOID(observer_->before_release(tracee));
  cpu_->let_go(tracee.tid);
  TRY_VOID(observer_->after_release(tracee));
  return forget(tracee, std::nullopt);
}

}  // namespace strut
