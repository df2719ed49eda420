// How strut lets go of tracees that live on.
#include <algorithm>
#include <csignal>
#include <utility>

#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/patience.hpp"
#include "ptrace/engine/tracer.hpp"
#include "ptrace/requests/all_registers.hpp"
#include "ptrace/requests/restarted_call.hpp"
#include "syscalls/machine_faults.hpp"

namespace strut {

namespace {

/// A tracee at the entry of a call: the call is skipped, and the next instruction is the one that makes it.
void leave_out_call(Tid tid) {
  constexpr uint64_t kNoCall = ~0ull;
  AllRegisters registers;
  if (!read_all_registers(tid, registers)) return;
  put_before_call(registers);
  registers[kOrigRax] = kNoCall;
  write_all_registers(tid, registers);
}

}  // namespace

Result<void> Tracer::leave_all() {
  is_leaving_ = true;
  last_stop_ns_ = monotonic_ns();
  cpu_->release();
  if (functions_) functions_->remove_all();
  // A command that strut launched ends with it, as it would if the signal had come to both from a terminal.
  bool ends_command = outcome_.interrupted_by != 0 && !request_.spares_command;
  if (ends_command && command_ && command_is_child_ && tracees_.find(*command_)) {
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
    else if (!awaits_tracer(*tracee)) interrupt(tracee->tid);
  }
  for (Tid tid : standing) {
    if (Tracee* tracee = tracees_.find(tid)) TRY_VOID(functions_ ? stand(*tracee, TrapStop{}) : let_go(*tracee, 0));
  }
  set_alarm();
  return {};
}

/// The launched command before the SIGSTOP by which it waits for its tracer, and that no other process must see.
bool Tracer::awaits_tracer(const Tracee& tracee) const {
  return command_ == tracee.tid && tracee.visibility == Visibility::Hidden;
}

bool Tracer::leaves_stopped() const { return outcome_.interrupted_by == SIGUSR2; }

/// A child that the tracer has not seen yet: it has its parent's breakpoints.
void Tracer::let_newborn_go(Tid tid) {
  if (leaves_stopped()) ::syscall(SYS_tkill, raw(tid), SIGSTOP);
  detach(tid);
}

Result<void> Tracer::let_go(Tracee& tracee, int signal) {
  TRY_VOID(watch_.at_detach(tracee));
  cpu_->let_go(tracee.tid);
  // It comes before the thread runs another instruction, whatever kind of stop it is at.
  if (leaves_stopped() && !tracee.is_bystander()) ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), SIGSTOP);
  detach(tracee.tid, signal);
  return report_detached(tracee);
}

/// It has not stopped: the kernel detaches it when strut ends, and delivers the signal of its pending stop.
Result<void> Tracer::let_run(Tracee& tracee) {
  TRY_VOID(watch_.at_detach(tracee));
  cpu_->let_go(tracee.tid);
  return report_detached(tracee);
}

Result<void> Tracer::report_detached(Tracee& tracee) {
  if (tracee.is_bystander()) return forget(tracee);
  DetachedEvent detached{tracee.place() == Place::Inside && tracee.announced};
  if (detached.in_call) {
    detached.call = &tracee.call;
    detached.decoded = &tracee.decoded;
  }
  bool resumes = detached.in_call && tracee.resumes;
  TRY_VOID(emitter_.report(tracee, now(), 0, detached, resumes ? stacks_.at_exit(tracee) : nullptr));
  return forget(tracee);
}

/// Breakpoints were removed before it exited: calls of it may be unreported, and so is its exit.
bool Tracer::has_gap(const Tracee& tracee, const Stop& stop) const {
  bool exited = std::holds_alternative<ExitStop>(stop);
  return functions_ && is_leaving_ && exited && command_ != tracee.tid && tracee.place() != Place::Ending;
}

Result<void> Tracer::let_go_at(Tracee& tracee, const Stop& stop) {
  if (awaits_tracer(tracee)) {
    int signal = pending_signal(stop);
    if (signal == SIGSTOP) return let_go(tracee, 0);
    restart(tracee.tid, Restart::Freely, signal);
    return {};
  }
  return functions_ ? stand(tracee, stop) : let_go(tracee, pending_signal(stop));
}

/// Whether the call that it enters or has returned from is one that leaves its process stopped.
bool Tracer::stops_victim(const Tracee& tracee, const SyscallInfo& info) const {
  const Call& call = tracee.call;
  bool reported = tracee.visibility != Visibility::Hidden && !tracee.is_bystander();
  if (!reported || !request_.stop_on.calls.contains(call.abi, call.nr)) return false;
  bool never_returns = (call.desc->classes & kNeverReturns) != 0;
  return info.op == (never_returns ? PTRACE_SYSCALL_INFO_ENTRY : PTRACE_SYSCALL_INFO_EXIT);
}

/// A SIGSTOP comes before it runs another instruction, and it is abandoned there. A call that it is about to make is
/// made when it goes on.
void Tracer::stop_next(Tracee& tracee) {
  if (tracee.place() == Place::Inside) {
    leave_out_call(tracee.tid);
    tracee.move_to(Place::Outside);
    tracee.wanted = false;
  }
  tracee.to_be_abandoned = true;
  ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), SIGSTOP);
}

/// It is at a signal: SIGSTOP is delivered instead, and the process is detached. Breakpoints are removed from all
/// processes at once, so that all are detached then.
Result<void> Tracer::abandon(Tracee& tracee) {
  if (functions_) {
    TRY_VOID(leave_all());
    return stand(tracee, SignalStop{SIGSTOP});
  }
  for (auto& [tid, other] : tracees_) {
    if (other->pid != tracee.pid || other.get() == &tracee) continue;
    other->abandoned = true;
    interrupt(other->tid);
  }
  return let_go(tracee, SIGSTOP);
}

/// The signal of its stop waits until it is continued. A fault comes again by itself.
Result<void> Tracer::abandon_at_signal(Tracee& tracee, const siginfo_t& info) {
  if (!fault_of(info)) ::syscall(SYS_tgkill, raw(tracee.pid), raw(tracee.tid), info.si_signo);
  return abandon(tracee);
}

/// For tracees that may be at a breakpoint.
std::string Tracer::states_of_running() const {
  std::string states;
  for (auto& [tid, tracee] : tracees_)
    if (tracee->probed.process && !tracee->is_standing()) states += running_state(tracee->probed);
  return states;
}

/// Cheap, for thousands of threads: no state is read.
bool Tracer::may_all_wait_for_vfork() const {
  return !functions_->awaits_any() && std::all_of(tracees_.begin(), tracees_.end(), [](auto& entry) {
    return entry.second->is_standing() || entry.second->probed.made_vfork;
  });
}

/// No tracee has a stop to be handled: those that stand are not held for others.
Result<void> Tracer::while_nothing_stops() {
  if (std::exchange(stood_, tracees_.standing()) != tracees_.standing()) TRY_VOID(leave_standing());
  return give_up_rest();
}

Result<void> Tracer::give_up_rest() {
  uint64_t time = monotonic_ns(), quiet_ns = time - last_stop_ns_;
  bool is_vfork = functions_ && may_all_wait_for_vfork();
  if (time < look_at_states_ns_ || !(is_vfork || is_patience_over(quiet_ns, {}))) return {};
  look_at_states_ns_ = time + kLookAtStates_ns;
  if (is_patience_over(quiet_ns, states_of_running()) && !is_news_of_running()) return leave_rest();
  return {};
}

/// Whether a tracee has stopped that was not seen to, or is going to stop at a breakpoint that is gone by now. A stop
/// that was not looked at must not be ended by a detach: a thread that stands behind an int3 would go on within an
/// instruction, and a signal would be lost.
bool Tracer::is_news_of_running() const {
  return std::any_of(tracees_.begin(), tracees_.end(), [](auto& entry) {
    const Tracee& tracee = *entry.second;
    return !tracee.is_standing() && (Traps::is_trapping(tracee.tid) || look_at(tracee.tid, Usage::Omit));
  });
}

/// Stopped tracees are detached, the others run: their memory is as it was.
Result<void> Tracer::leave_rest() {
  TRY_VOID(leave_standing());
  while (!tracees_.empty()) {
    Tracee& tracee = *tracees_.begin()->second;
    TRY_VOID(tracee.is_standing() ? let_go(tracee, tracee.resume_signal) : let_run(tracee));
  }
  return {};
}

}  // namespace strut
