#include "ptrace/engine/leaving.hpp"

#include <algorithm>
#include <csignal>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "process/tracer_process.hpp"
#include "ptrace/breakpoints/clear_memory.hpp"
#include "ptrace/engine/engine.hpp"
#include "ptrace/engine/patience.hpp"

namespace strut {
namespace {

bool makes_child(const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  return event && (event->event == PTRACE_EVENT_FORK || event->event == PTRACE_EVENT_VFORK ||
                   event->event == PTRACE_EVENT_CLONE);
}

bool is_exec(const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  return event && event->event == PTRACE_EVENT_EXEC;
}

}  // namespace

void Leaving::begin(LeaveThem as) {
  as_ = as;
  is_under_way_ = true;
  note_stop();
}

void Leaving::note_stop() {
  if (is_under_way_) last_stop_ns_ = monotonic_ns();
}

void Leaving::let_newborn_go(Tid tid) const {
  if (leaves_stopped()) ::syscall(SYS_tkill, raw(tid), SIGSTOP);
  detach(tid);
}

/// The launched command stops by itself before it runs its program, and no other process must see that; a command that
/// could not be executed ends.
Result<void> Leaving::at_stop(Tracee& tracee, const Stop& stop) {
  int signal = pending_signal(stop);
  if (!tracee.is_launching) return engine_.has_breakpoints() ? stand(tracee, stop) : engine_.release(tracee, signal);
  if (signal == SIGSTOP) return engine_.release(tracee, 0);
  restart(tracee.tid, Restart::Freely, signal);
  return {};
}

/// The process is detached: this thread has stopped, and may be at a place where it cannot be detached. The last thread
/// to stop detaches all with it.
Result<void> Leaving::stand(Tracee& tracee, const Stop& stop) {
  TracerProcess::note_progress();
  if (auto* signal = std::get_if<SignalStop>(&stop))
    engine_.probes().traps().settle(tracee, stopped_by(tracee.tid, signal->signal));
  take(tracee.tid);
  if (is_exec(stop)) {
    if (tracee.is_borrower()) return engine_.release(tracee, 0);
    engine_.probes().executed(tracee);
  }
  if (makes_child(stop)) TRY_VOID(engine_.lives().expect_child(tracee, std::get<EventStop>(stop).event));
  engine_.restarts().end_delay(tracee);
  if (!tracee.process) return engine_.release(tracee, pending_signal(stop));
  if (Traps::may_be_left(tracee, stop, tracee.resume_signal)) tracee.stand();
  return engine_.tracees().all_stand() ? release_standing() : Result<void>{};
}

/// Slots go with the threads: none is in one any more.
Result<void> Leaving::release_standing() {
  TraceeTable& tracees = engine_.tracees();
  std::unordered_set<const AddressSpace*> awaited;
  std::unordered_set<const ProbedProcess*> seen;
  std::unordered_map<const AddressSpace*, std::vector<ProbedThread*>> one_of_each_process;
  for (auto& [tid, tracee] : tracees) {
    const auto& process = tracee->process;
    if (process && (!tracee->is_standing() || engine_.probes().awaits_child_in(*process->space)))
      awaited.insert(process->space.get());
  }
  std::vector<Tid> leaving;
  for (auto& [tid, tracee] : tracees) {
    if (!tracee->is_standing() || awaited.contains(tracee->process->space.get())) continue;
    leaving.push_back(tracee->tid);
    if (seen.insert(tracee->process.get()).second)
      one_of_each_process[tracee->process->space.get()].push_back(tracee.get());
  }
  for (auto& [space, threads] : one_of_each_process) clear_memory(threads);
  for (Tid tid : leaving)
    if (Tracee* tracee = tracees.find(tid)) TRY_VOID(engine_.release(*tracee, tracee->resume_signal));
  return {};
}

/// The tracee is at a signal. Breakpoints are removed from all processes at once, so that all are detached then.
Result<void> Leaving::abandon(Tracee& tracee) {
  if (engine_.has_breakpoints()) {
    TRY_VOID(engine_.leave());
    return stand(tracee, SignalStop{SIGSTOP});
  }
  for (auto& [tid, other] : engine_.tracees()) {
    if (other->pid != tracee.pid || other.get() == &tracee) continue;
    other->abandoned = true;
    interrupt(other->tid);
  }
  return engine_.release(tracee, SIGSTOP);
}

// -- threads that do not stop -----------------------------------------------------------------------------------------

/// For tracees that may be at a breakpoint.
std::string Leaving::states_of_running() const {
  std::string states;
  for (auto& [tid, tracee] : engine_.tracees())
    if (tracee->process && !tracee->is_standing()) states += running_state(*tracee);
  return states;
}

/// Cheap, for thousands of threads: no state is read.
bool Leaving::may_all_wait_for_vfork() const {
  return engine_.has_breakpoints() && !engine_.probes().awaits_any() &&
         std::all_of(engine_.tracees().begin(), engine_.tracees().end(),
                     [](auto& entry) { return entry.second->is_standing() || entry.second->made_vfork; });
}

Result<void> Leaving::at_quiet() {
  if (std::exchange(stood_, engine_.tracees().standing()) != engine_.tracees().standing())
    TRY_VOID(release_standing());  // those that stand are not held for others
  uint64_t time = monotonic_ns(), quiet_ns = time - last_stop_ns_;
  if (time < look_at_states_ns_ || !(may_all_wait_for_vfork() || is_patience_over(quiet_ns, {}))) return {};
  look_at_states_ns_ = time + kLookAtStates_ns;
  if (is_patience_over(quiet_ns, states_of_running()) && !is_news_of_running()) return release_rest();
  return {};
}

/// Whether a tracee has stopped that was not seen to, or is going to stop at a breakpoint that is gone by now. A stop
/// that was not looked at must not be ended by a detach: a thread that stands behind an int3 would go on within an
/// instruction, and a signal would be lost.
bool Leaving::is_news_of_running() const {
  return std::any_of(engine_.tracees().begin(), engine_.tracees().end(), [](auto& entry) {
    const Tracee& tracee = *entry.second;
    return !tracee.is_standing() && (Traps::is_trapping(tracee.tid) || look_at(tracee.tid, Usage::Omit));
  });
}

/// Detaches stopped tracees. The others run, and their memory is as it was: the kernel detaches them when strut ends,
/// and delivers the signal of their pending stop.
Result<void> Leaving::release_rest() {
  TRY_VOID(release_standing());
  while (!engine_.tracees().empty()) {
    Tracee& tracee = *engine_.tracees().begin()->second;
    TRY_VOID(tracee.is_standing() ? engine_.release(tracee, tracee.resume_signal) : engine_.let_run(tracee));
  }
  return {};
}

}  // namespace strut
