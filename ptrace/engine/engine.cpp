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

Chance chance(const CpuFollower& cpu) { return cpu.tracees_run_at_once() ? Chance::Good : Chance::Unknown; }

}  // namespace

Engine::Engine(const EngineSettings& settings)
    : settings_(settings),
      tracees_(settings.pidfds),
      stops_(tracees_, lives_.newborns(), settings.usage, settings.fairness) {
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
  return are_killed() || (tracees_.empty() && lives_.newborns().empty() && !(probes_ && probes_->awaits_any()));
}

// -- waiting ----------------------------------------------------------------------------------------------------------

Result<Engine::Step> Engine::step() {
  if (SyscallInfo info{}; Tracee* tracee = polled_call(info)) {
    cpu_->at_stop(tracee->tid, monotonic_ns(), company_of(*tracee, tracees_), Caught::AtOnce);
    TRY_VOID(handler_.handle_call(*tracee, info, 0));
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
  TRY_VOID(handler_.handle(*waited));
  return Step::Stop;
}

Tracee* Engine::polled() {
  Tid tid = is_leaving() ? Tid{} : stops_.worth_a_poll();
  return tid == Tid{} ? nullptr : tracees_.find(tid);
}

Tracee* Engine::polled_call(SyscallInfo& info) {
  Tracee* tracee = probes_ ? nullptr : polled();
  return tracee && stops_.poll().catches(*tracee, restarts_.seccomp_in_force(), chance(*cpu_), info) ? tracee : nullptr;
}

/// For the thread that stops at breakpoints only.
std::optional<Waited> Engine::polled_trap() {
  Tracee* tracee = probes_ ? polled() : nullptr;
  if (!tracee || restarts_.how(*tracee) != Restart::Freely || !stops_.poll().catches_trap(tracee->tid, chance(*cpu_)))
    return std::nullopt;
  tracee->is_at_int3 = true;
  return stopped_by(tracee->tid, SIGTRAP);
}

// -- continuing -------------------------------------------------------------------------------------------------------

void Engine::go_on(Tracee& tracee, Resumption how) {
  if (!restarts_.go_on(tracee, how)) set_alarm(alarm_ns_, again_ns_);
}

bool Engine::rang() {
  if (!AlarmClock::rang()) return false;
  restarts_.resume_due();
  return true;
}

void Engine::set_alarm(uint64_t at_ns, uint64_t again_ns) {
  alarm_ns_ = at_ns;
  again_ns_ = again_ns;
  uint64_t delay_ns = restarts_.next_ns(), time = monotonic_ns();
  at_ns = is_leaving() ? time + kMillisecond_ns : std::min(at_ns, delay_ns);
  if (at_ns == UINT64_MAX) return alarm_->stop();
  if (delay_ns != UINT64_MAX || is_leaving()) again_ns = kMillisecond_ns;
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
  // SIGSTOP comes before the thread runs another instruction, whatever kind of stop it is at.
  if (leaving_.leaves_stopped() && !tracee.is_bystander())
    ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), SIGSTOP);
  detach(tracee.tid, signal);
  TRY_VOID(observer_->after_release(tracee));
  return lives_.forget(tracee, std::nullopt);
}

Result<void> Engine::let_run(Tracee& tracee) {
  TRY_VOID(observer_->before_release(tracee));
  cpu_->let_go(tracee.tid);
  TRY_VOID(observer_->after_release(tracee));
  return lives_.forget(tracee, std::nullopt);
}

}  // namespace strut
