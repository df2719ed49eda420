#include "ptrace/observers/trace_observer.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/observers/stopped_victims.hpp"
#include "syscalls/types/signal/siginfo.hpp"

namespace strut {

namespace {

Disposition disposition_of(Tid tid, int signal) {
  auto status = process_status(tid);
  if (!status) return Disposition::Unknown;
  uint64_t bit = 1ull << (signal - 1);
  return status->caught & bit    ? Disposition::Caught
         : status->ignored & bit ? Disposition::Ignored
                                 : Disposition::Default;
}

}  // namespace

TraceObserver::TraceObserver(const TraceRequest& request, Sink& sink, Listener& listener, const PtraceParts& parts,
                             Engine& engine)
    : request_(request),
      listener_(listener),
      engine_(engine),
      emitter_(sink, engine.tracees()),
      stacks_(request, parts.unwinder.get()),
      watch_(request, emitter_, stacks_, listener) {
  if (!request.functions) return;
  UprobeConflictReport conflicts{parts.list_uprobes, [&listener](std::string_view line) { listener.say(line); }};
  functions_.emplace(request, emitter_, stacks_, engine.probes(), std::move(conflicts));
}

void TraceObserver::launched(Tracee& command, bool is_child) {
  command_ = command.tid;
  command_is_child_ = is_child;
  command.visibility = Visibility::Hidden;
  command.is_launching = true;
}

void TraceObserver::learn_comm(Tracee& tracee) const {
  if (request_.need_comm) tracee.comm = comm_of(raw(tracee.tid)).value_or("");
}

uint64_t TraceObserver::ip_of(const Tracee& tracee) const {
  SyscallInfo info{};
  return request_.need_ip && read_syscall_info(tracee.tid, info) ? info.instruction_pointer : 0;
}

// -- stops ------------------------------------------------------------------------------------------------------------

Result<Resumption> TraceObserver::at_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) {
  uint64_t reported = watch_.calls_reported();
  Resumption how = TRY(watch_.at_stop(tracee, info, system_time_ns));
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) TRY_VOID(after_exit(tracee, info, reported));
  if (!engine_.is_leaving() && is_to_be_stopped(tracee, info, request_.stop_on)) stop_next(tracee);
  return how;
}

Result<void> TraceObserver::after_exit(Tracee& tracee, const SyscallInfo& info, uint64_t reported_before) {
  bool has_failed = !command_runs_ && command_ == tracee.tid && info.exit.is_error;
  if (has_failed && tracee.visibility != Visibility::Hidden) {
    tracee.visibility = Visibility::Hidden;
    tracee.is_launching = true;
    listener_.say(std::string("exec: ") + strerror(static_cast<int>(-info.exit.rval)));
  }
  if (request_.need_comm && tracee.call.effects().have(kMayRenameThread)) learn_comm(tracee);
  bool is_last = request_.call_limit != 0 && watch_.calls_reported() != reported_before &&
                 watch_.calls_reported() >= request_.call_limit;
  if (!is_last) return {};
  listener_.mention("System call limit has been reached, detaching tracees");
  return engine_.leave();
}

Result<void> TraceObserver::at_breakpoint(Tracee& tracee, const AllRegisters& registers, uint64_t tag) {
  TRY_VOID(functions_->at_breakpoint(tracee, registers, tag));
  bool* asked = request_.stop_on.function_asked;
  if (asked && std::exchange(*asked, false)) stop_next(tracee);
  return {};
}

/// The launched command's first SIGSTOP says that it is ready (launch.hpp).
Result<Delivery> TraceObserver::at_signal(Tracee& tracee, int signal) {
  bool is_ready = tracee.is_launching && !command_runs_ && signal == SIGSTOP;
  if (!is_ready) return report_signal(tracee, signal);
  siginfo_t mark;
  engine_.restarts().note_seccomp(read_siginfo(tracee.tid, mark) && mark.si_code == SI_TKILL);
  tracee.visibility = Visibility::Starting;
  tracee.is_launching = false;
  learn_comm(tracee);
  return Delivery{};
}

Result<Delivery> TraceObserver::report_signal(Tracee& tracee, int signal) {
  if (!request_.shows(signal) || tracee.is_bystander()) return Delivery{signal};
  SignalEvent event{signal, {}, {}};
  if (!read_siginfo(tracee.tid, event.info)) event.info.si_signo = signal;  // the tracee died meanwhile
  std::optional<std::string> comm;
  std::optional<FdTarget> file;
  if (auto sender = pid_of(event.info)) {
    if (request_.decode.comms && (comm = tracee.around.comm(*sender))) event.names.comm = *comm;
    if (request_.decode.translate_pids) event.names.translated = tracee.around.translate_pid(*sender).value_or(0);
  }
  if (auto fd = fd_of(event.info); fd && request_.decode.fd_targets)
    if ((file = tracee.around.fd_target(*fd, request_.decode.fd_details))) event.names.file = &*file;
  if (request_.signal_dispositions) event.disposition = disposition_of(tracee.tid, signal);
  TRY_VOID(emitter_.report(tracee, now(), ip_of(tracee), event, stacks_.take(tracee)));
  if (!request_.stop_on.takes(event.info)) return Delivery{signal};
  send_again(tracee, event.info);
  return Delivery{signal, Delivery::Then::IsAbandoned};
}

Result<void> TraceObserver::at_group_stop(Tracee& tracee, int signal) {
  if (!request_.shows(signal) || tracee.is_bystander()) return {};
  return emitter_.report(tracee, now(), ip_of(tracee), StopEvent{signal});
}

// -- lives ------------------------------------------------------------------------------------------------------------

Result<void> TraceObserver::at_birth(Tracee& child, Tid parent, const SyscallDesc* by) {
  learn_comm(child);
  if (child.is_bystander()) return {};
  return emitter_.report(child, now(), 0, AttachedEvent{false, 1, parent, by});
}

Result<void> TraceObserver::before_rename(Tracee& caller, Tid id, Tracee* leader) {
  Timestamp at = now();
  if (std::exchange(caller.is_unfollowed, false)) caller.visibility = Visibility::Shown;
  if (leader) TRY_VOID(watch_.at_death(*leader, at));
  return emitter_.report(caller, at, 0, RenamedEvent{id});
}

Result<void> TraceObserver::after_rename(const Tracee& process, Tid former, Tracee& leader) {
  leader.last_nr = process.last_nr;
  return emitter_.report(leader, now(), ip_of(process), SupersededEvent{former});
}

Result<AfterExec> TraceObserver::at_exec(Tracee& tracee) {
  stacks_.after_exec(tracee);
  learn_comm(tracee);
  bool is_launch = command_ == tracee.tid && !command_runs_;
  if (is_launch) {
    command_runs_ = true;
    tracee.visibility = Visibility::Shown;
  }
  const Call& call = tracee.call;
  if (!is_launch && tracee.place() == Place::Inside && request_.detach_on.contains(call.abi, call.nr))
    return AfterExec::Released;
  if (!functions_) return AfterExec::Traced;
  functions_->executed(tracee.pid);
  if (!is_launch) TRY_VOID(emitter_.report(tracee, now(), 0, ExecutedEvent{}));
  return AfterExec::Traced;
}

/// Breakpoints may have been removed before it exited: calls of it may be unreported then, and so is its exit.
Result<void> TraceObserver::after_death(Tracee& tracee, const Stop& stop, int status) {
  auto* exited = std::get_if<ExitStop>(&stop);
  bool has_gap =
      functions_ && engine_.is_leaving() && exited && command_ != tracee.tid && tracee.place() != Place::Ending;
  if (has_gap) {
    TRY_VOID(watch_.at_detach(tracee));
    return after_release(tracee);
  }
  Timestamp at = now();
  TRY_VOID(watch_.at_death(tracee, at));
  if (tracee.is_bystander()) return {};
  if (exited) {
    TRY_VOID(emitter_.report(tracee, at, 0, ExitedEvent{exited->status}));
  } else {
    const auto& killed = std::get<KilledStop>(stop);
    TRY_VOID(emitter_.report(tracee, at, 0, KilledEvent{killed.signal, killed.core_dumped}));
  }
  if (command_ != tracee.tid || !command_is_child_) return {};
  outcome_.status = status;
  outcome_.command_ended = true;
  Interruption::command_ended();
  return {};
}

void TraceObserver::process_gone(Pid pid, std::optional<int>) {
  if (functions_) functions_->gone(pid);
}

Result<void> TraceObserver::after_release(Tracee& tracee) {
  if (tracee.is_bystander()) return {};
  DetachedEvent detached{tracee.place() == Place::Inside && tracee.announced};
  if (detached.in_call) {
    detached.call = &tracee.call;
    detached.decoded = &tracee.decoded;
  }
  bool resumes = detached.in_call && tracee.resumes;
  return emitter_.report(tracee, now(), 0, detached, resumes ? stacks_.at_exit(tracee) : nullptr);
}

// -- sleepers ---------------------------------------------------------------------------------------------------------

/// A tracee that runs answers no request; whether it sleeps is in /proc.
Result<void> TraceObserver::report_sleepers() {
  uint64_t time = monotonic_ns();
  for (auto& [tid, tracee] : engine_.tracees()) {
    const Call& call = tracee->call;
    bool reported = tracee->place() == Place::Inside && tracee->wanted && tracee->announced && !tracee->sleep_reported;
    if (!reported || time - call.entered.monotonic_ns < request_.sleeping_after_ns || !is_asleep(tracee->tid)) continue;
    tracee->sleep_reported = true;
    TRY_VOID(emitter_.report(*tracee, now(), call.ip, SleepingEvent{&call, &tracee->decoded}));
  }
  return {};
}

}  // namespace strut
