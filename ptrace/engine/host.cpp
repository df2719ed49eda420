#include "ptrace/engine/host.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>

#include <unistd.h>

#include "base/clock.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"
#include "ptrace/engine/patience.hpp"
#include "ptrace/engine/probe_host.hpp"

namespace strut {
namespace {

/// How many stops of one thread are served before the others are asked by name: the kernel reports in an order of its
/// own.
constexpr int kMaxInRow = 64;
/// How many of them without a look at the others.
constexpr int kMaxGlimpses = 2;
constexpr uint64_t kRingAgain_ns = 5'000'000;

void sleep_until(uint64_t until_ns) {
  timespec until{static_cast<time_t>(until_ns / 1'000'000'000), static_cast<long>(until_ns % 1'000'000'000)};
  ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

}  // namespace

PtraceProbeHost::PtraceProbeHost() {
  manners_.seccomp_filter = true;  // tracees do not stop at every call: none can be kept from seeing its affinity
  alarm_.emplace();
  cpu_.emplace(manners_);
}

PtraceProbeHost::~PtraceProbeHost() {
  let_go();
  TracerProcess::rejoin();
}

void PtraceProbeHost::watch(const ProbeHostRequest& request) {
  if (request.clocks_ns != request_.clocks_ns) samples_.set(request.clocks_ns);
  request_ = request;
}

Result<void> PtraceProbeHost::launch(HeldCommand command, ProbeHostObserver& observer) {
  observer_ = &observer;
  if (int error = seize(leader_of(command.pid()), kHostOptions))
    return fail({error, "ptrace(PTRACE_SEIZE)", std::to_string(raw(command.pid())), {}, {}});
  auto process = std::make_shared<ProbedProcess>();
  process->call_places = call_places_;
  process->pid = command.pid();
  process->space = std::make_shared<AddressSpace>(command.pid(), leader_of(command.pid()));
  process->is_reported = false;  // until its execve
  process->starts = true;
  threads_.add(leader_of(command.pid()), process);
  command.release();
  // Other events meanwhile are reported, too.
  for (launching_ = true; launching_ && Interruption::caught() == 0 && !TracerProcess::is_orphaned();)
    if (std::optional<Waited> waited = next()) handle(*waited);
  return {};
}

std::vector<size_t> PtraceProbeHost::insert(Pid pid, std::span<const HostBreakpoint> breakpoints) {
  if (auto process = threads_.process(pid)) return process->space->insert(breakpoints);
  std::vector<size_t> all(breakpoints.size());
  for (size_t i = 0; i < all.size(); i++) all[i] = i;
  return all;
}

void PtraceProbeHost::remove(Pid pid, std::span<const Addr> addresses) {
  if (auto process = threads_.process(pid)) process->space->remove(addresses);
}

void PtraceProbeHost::forget(Pid pid, std::span<const Addr> addresses) {
  if (auto process = threads_.process(pid)) process->space->forget(addresses);
}

Result<void> PtraceProbeHost::serve(uint64_t until_ns, ProbeHostObserver& observer) {
  observer_ = &observer;
  returns_ = false;
  set_alarm(std::min(until_ns, samples_.next_ns()));
  while (!returns_) {
    if (TracerProcess::is_orphaned()) {
      let_go();
      ::_exit(128 + SIGKILL);
    }
    uint64_t time_ns = monotonic_ns();
    if (time_ns >= until_ns || Interruption::caught() != 0) break;
    if (time_ns >= samples_.next_ns()) {
      look_for_ticks(time_ns);
      set_alarm(std::min(until_ns, samples_.next_ns()));
    }
    std::optional<Waited> waited = next();
    if (waited) handle(*waited);
    else if (errno != EINTR) sleep_until(until_ns);  // ECHILD: no tracee is left
  }
  alarm_->stop();
  return {};
}

void PtraceProbeHost::set_alarm(uint64_t until_ns) {
  uint64_t time = monotonic_ns();
  alarm_->set(until_ns > time ? until_ns - time : 1000, kRingAgain_ns);
}

void PtraceProbeHost::look_for_ticks(uint64_t now_ns) {
  for (Hosted* thread : samples_.look(threads_, now_ns)) {
    // A thread inside of a call that will stop at its return is handled there, and not interrupted.
    bool stops_by_itself = thread->is_inside && restart_of(*thread) == Restart::ToSyscall;
    if (!stops_by_itself) interrupt(thread->tid);
  }
}

/// For the thread that was restarted last, and stops at breakpoints only.
std::optional<Waited> PtraceProbeHost::glimpsed_trap() {
  Tid tid = stop_poll_.candidate();
  if (tid == Tid{} || !waiting_.empty() || leaving_) return std::nullopt;
  if (threads_.size() > 1 && ++glimpses_ > kMaxGlimpses) return std::nullopt;
  Hosted* thread = threads_.find(tid);
  Chance chance = cpu_ && cpu_->tracees_run_at_once() ? Chance::Good : Chance::Unknown;
  if (!thread || !stop_poll_.catches_trap(tid, chance)) return std::nullopt;
  thread->is_at_int3 = true;
  return stopped_by(tid, SIGTRAP);
}

std::optional<Waited> PtraceProbeHost::next_in_turn() {
  auto at = threads_.after(turn_);
  for (size_t left = threads_.size(); left > 0; left--) {
    turn_ = at->second->tid;
    if (std::optional<Waited> waited = look_at(turn_, Usage::Omit)) return waited;
    if (++at == threads_.end()) at = threads_.begin();
  }
  return std::nullopt;
}

/// Stops are looked at here, not taken: a tracer that is killed must not take SIGTRAP of a breakpoint with it.
std::optional<Waited> PtraceProbeHost::next() {
  if (std::optional<Waited> trap = glimpsed_trap()) return trap;
  stop_poll_.went_on(Tid{});
  glimpses_ = 0;
  if (!waiting_.empty()) {
    Waited first = waiting_.front();
    waiting_.pop_front();
    return first;
  }
  bool in_turn = served_in_row_ >= kMaxInRow && threads_.size() > 1;
  std::optional<Waited> waited = in_turn ? next_in_turn() : std::nullopt;
  if (!waited) waited = look_at_next(Usage::Omit, WaitScope::Thread);
  if (!waited) return waited;
  bool is_again = waited->tid == last_served_;
  if (in_turn) served_in_row_ = is_again ? 0 : served_in_row_;  // again: no other one stops
  else served_in_row_ = is_again ? served_in_row_ + 1 : 0;
  last_served_ = waited->tid;
  return waited;
}

void PtraceProbeHost::handle(const Waited& waited) {
  Stop stop = classify(waited.status);
  if (std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop)) {
    take(waited.tid);
    return handle_death(waited.tid, waited.status);
  }
  if (auto* event = std::get_if<EventStop>(&stop); event && event->event == PTRACE_EVENT_EXEC)
    if (!handle_exec(waited.tid)) return;
  Hosted* thread = threads_.find(waited.tid);
  if (!thread) return welcome(waited.tid);
  note_vfork(*thread, stop);
  // Where clocks tick the tracer stays away from the CPU of a running thread: there it would run late, when the thread
  // gives it up.
  if (cpu_ && request_.clocks_ns.empty())
    cpu_->at_stop(waited.tid, monotonic_ns(), threads_.size() > 1 ? Company::Others : Company::None,
                  thread->is_at_int3 ? Caught::AtOnce : Caught::Waiting);
  handle_stop(*thread, stop);
}

Restart PtraceProbeHost::restart_of(const Hosted& thread) const {
  const ProbedProcess& process = *thread.process;
  bool sees_calls = process.is_reported && (request_.calls || process.starts);
  return sees_calls || thread.calls_in_slot || thread.untraced_clone.needs_calls() ? Restart::ToSyscall
                                                                                   : Restart::Freely;
}

void PtraceProbeHost::go_on(Hosted& thread, int signal) {
  if (thread.to_be_stopped) ::kill(raw(thread.process->pid), SIGSTOP);
  thread.to_be_stopped = false;
  Restart how = restart_of(thread);
  restart(thread.tid, how, signal);
  stop_poll_.went_on(how == Restart::Freely ? thread.tid : Tid{});
}

std::unique_ptr<ProbeHost> make_ptrace_probe_host() { return std::make_unique<PtraceProbeHost>(); }

}  // namespace strut
