// The causes of a tracee's stop, and its continuation.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/tracer.hpp"
#include "syscalls/types/signal/siginfo.hpp"

namespace strut {

namespace {

constexpr uint64_t kMillisecond_ns = 1'000'000;
constexpr uint64_t kFlushAgain_ns = 50 * kMillisecond_ns;

/// The CLONE_ flags of the call that a tracee is in; 0 if it has none or they cannot be read.
uint64_t clone_flags(Tracee& parent) {
  const Call& call = parent.call;
  if (call.effects().makes == Makes::ByArgument) return call.regs[0];
  uint64_t flags = 0;
  if (call.effects().makes == Makes::ByMemory)
    parent.memory.read(Addr{call.regs[0]}, std::as_writable_bytes(std::span(&flags, 1)));
  return flags;
}

Disposition disposition_of(Tid tid, int signal) {
  auto status = process_status(tid);
  if (!status) return Disposition::Unknown;
  uint64_t bit = 1ull << (signal - 1);
  return status->caught & bit    ? Disposition::Caught
         : status->ignored & bit ? Disposition::Ignored
                                 : Disposition::Default;
}

}  // namespace

Result<void> Tracer::handle_stop(Tracee& tracee, const Stop& stop, uint64_t system_time_ns) {
  if (tracee.just_attached) {
    tracee.just_attached = false;
    SyscallInfo info{};
    if (read_syscall_info(tracee.tid, info)) watch_.at_attach(tracee, info);
  }
  if (std::holds_alternative<SyscallStop>(stop)) return handle_syscall(tracee, system_time_ns);
  if (auto* event = std::get_if<EventStop>(&stop)) return handle_event(tracee, event->event, system_time_ns);
  if (auto* signal = std::get_if<SignalStop>(&stop)) return handle_signal(tracee, signal->signal);
  if (auto* group = std::get_if<GroupStop>(&stop)) return handle_group_stop(tracee, group->signal);
  tracee.group_stopped = false;
  if (functions_) functions_->at_rest(tracee);
  go_on(tracee);
  return {};
}

Result<void> Tracer::handle_syscall(Tracee& tracee, uint64_t system_time_ns) {
  SyscallInfo info{};
  if (!read_syscall_info(tracee.tid, info)) {
    if (errno == EIO)
      return fail(
          {0, "ptrace(PTRACE_GET_SYSCALL_INFO)", {}, "this kernel does not have it", "Linux 5.3 or newer is needed"});
    TRY_VOID(watch_.at_unreadable_stop(tracee));
    go_on(tracee);
    return {};
  }
  return handle_call(tracee, info, system_time_ns);
}

Result<void> Tracer::handle_call(Tracee& tracee, const SyscallInfo& info, uint64_t system_time_ns) {
  uint64_t reported = watch_.calls_reported();
  bool enters = info.op == PTRACE_SYSCALL_INFO_ENTRY;
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) restore_untraced_at_exit(tracee.probed, info.exit.rval);
  if (functions_ && enters) functions_->at_enter(tracee, info);
  Resumption how = TRY(watch_.at_stop(tracee, info, system_time_ns));
  if (functions_ && enters) clear_untraced(tracee.probed, tracee.call);
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) {
    if (functions_) functions_->at_exit(tracee, info);
    if (!command_runs_ && command_ == tracee.tid && info.exit.is_error)
      after_command_failed(tracee, static_cast<int>(-info.exit.rval));
    if (request_.need_comm && tracee.call.effects().have(kMayRenameThread)) learn_comm(tracee);
    if (request_.call_limit != 0 && watch_.calls_reported() != reported &&
        watch_.calls_reported() >= request_.call_limit) {
      listener_.mention("System call limit has been reached, detaching tracees");
      if (!functions_) TRY_VOID(let_go(tracee, 0));
      TRY_VOID(leave_all());
      return functions_ ? stand(tracee, SyscallStop{}) : Result<void>{};
    }
  }
  if (stops_victim(tracee, info)) stop_next(tracee);
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY || info.op == PTRACE_SYSCALL_INFO_EXIT) cpu_->at_call(tracee, tracees_);
  go_on(tracee, how);
  return {};
}

void Tracer::after_command_failed(Tracee& tracee, int error) {
  if (tracee.visibility == Visibility::Hidden) return;
  tracee.visibility = Visibility::Hidden;
  listener_.say(std::string("exec: ") + strerror(error));
}

/// Under a seccomp filter enters announce themselves, and only exits must be waited for.
Restart Tracer::restart_of(const Tracee& tracee) const {
  if (functions_ && !functions_->needs_calls(tracee) && !cpu_->needs_calls()) return Restart::Freely;
  return seccomp_in_force_ && tracee.place() == Place::Outside ? Restart::Freely : Restart::ToSyscall;
}

void Tracer::go_on(Tracee& tracee, Resumption how) {
  if (how.delay_ns == 0) {
    restart(tracee.tid, restart_of(tracee), how.signal);
    stop_poll_.went_on(tracee.tid);
    return;
  }
  take(tracee.tid);
  tracee.resume_at_ns = monotonic_ns() + how.delay_ns;
  tracee.resume_signal = how.signal;
  delayed_++;
  set_alarm();
}

void Tracer::resume_due() {
  if (delayed_ == 0) return;
  uint64_t time = monotonic_ns();
  for (auto& [tid, tracee] : tracees_) {
    if (tracee->resume_at_ns == 0 || tracee->resume_at_ns > time) continue;
    tracee->resume_at_ns = 0;
    delayed_--;
    restart(tracee->tid, restart_of(*tracee), tracee->resume_signal);
  }
}

void Tracer::set_alarm() {
  uint64_t at = flush_at_ns_ != 0 ? flush_at_ns_ : UINT64_MAX;
  if (request_.sleeping_after_ns != 0) at = std::min(at, look_for_sleepers_at_ns_);
  if (delayed_ != 0)
    for (auto& [tid, tracee] : tracees_)
      if (tracee->resume_at_ns != 0) at = std::min(at, tracee->resume_at_ns);
  if (is_leaving_) at = 0;
  if (at == UINT64_MAX) return alarm_->stop();
  uint64_t time = monotonic_ns();
  bool urgent = delayed_ != 0 || is_leaving_;
  alarm_->set(at > time ? at - time : kMillisecond_ns, urgent ? kMillisecond_ns : kFlushAgain_ns);
}

uint64_t Tracer::ip_of(const Tracee& tracee) const {
  SyscallInfo info{};
  return request_.need_ip && read_syscall_info(tracee.tid, info) ? info.instruction_pointer : 0;
}

void Tracer::learn_comm(Tracee& tracee) const {
  if (request_.need_comm) tracee.comm = comm_of(raw(tracee.tid)).value_or("");
}

Result<void> Tracer::handle_signal(Tracee& tracee, int signal) {
  if (tracee.visibility == Visibility::Hidden && !command_runs_ && command_ == tracee.tid && signal == SIGSTOP) {
    siginfo_t mark;
    seccomp_in_force_ = read_siginfo(tracee.tid, mark) && mark.si_code == SI_TKILL;
    tracee.visibility = Visibility::Starting;
    learn_comm(tracee);
    go_on(tracee);
    return {};
  }
  if (functions_) {
    if (signal == SIGTRAP && TRY(handle_trap(tracee))) return {};
    functions_->before_signal(tracee, signal);
  }
  if (signal == SIGSTOP && tracee.to_be_abandoned) return abandon(tracee);
  if (request_.shows(signal) && !tracee.is_bystander()) {
    SignalEvent event{signal, {}, {}};
    if (!read_siginfo(tracee.tid, event.info)) event.info.si_signo = signal;  // it died meanwhile
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
    if (request_.stop_on.takes(event.info)) return abandon_at_signal(tracee, event.info);
  }
  go_on(tracee, {functions_ ? functions_->delivered(tracee, signal) : signal, 0});
  return {};
}

Result<void> Tracer::handle_group_stop(Tracee& tracee, int signal) {
  if (!tracee.group_stopped && request_.shows(signal) && !tracee.is_bystander())
    TRY_VOID(emitter_.report(tracee, now(), ip_of(tracee), StopEvent{signal}));
  tracee.group_stopped = true;
  take(tracee.tid);
  restart(tracee.tid, Restart::Listening);
  return {};
}

Result<void> Tracer::handle_death(Tracee& tracee, const Stop& stop, int status) {
  cpu_->bury(tracee.tid);
  take(tracee.tid);
  if (has_gap(tracee, stop)) {
    TRY_VOID(watch_.at_detach(tracee));
    return report_detached(tracee);
  }
  Timestamp at = now();
  TRY_VOID(watch_.at_death(tracee, at));
  if (tracee.is_bystander()) {
    return forget(tracee);
  } else if (auto* exited = std::get_if<ExitStop>(&stop)) {
    TRY_VOID(emitter_.report(tracee, at, 0, ExitedEvent{exited->status}));
  } else {
    const auto& killed = std::get<KilledStop>(stop);
    TRY_VOID(emitter_.report(tracee, at, 0, KilledEvent{killed.signal, killed.core_dumped}));
  }
  if (command_ == tracee.tid && command_is_child_) {
    outcome_.status = status;
    outcome_.command_ended = true;
    Interruption::command_ended();
  }
  return forget(tracee);
}

Result<void> Tracer::forget(Tracee& tracee) {
  if (tracee.resume_at_ns != 0) delayed_--;
  std::vector<Tid> orphans;
  if (functions_) orphans = functions_->died(tracee);
  tracees_.remove(tracee.tid);
  for (Tid child : orphans) TRY_VOID(begin_probed(child));
  return {};
}

Result<void> Tracer::handle_event(Tracee& tracee, int event, uint64_t system_time_ns) {
  switch (event) {
    case PTRACE_EVENT_EXEC: return handle_exec(tracee);
    case PTRACE_EVENT_SECCOMP: return handle_syscall(tracee, system_time_ns);
    case PTRACE_EVENT_EXIT:
      TRY_VOID(watch_.at_death(tracee, now()));
      tracee.move_to(Place::Ending);
      break;
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE: TRY_VOID(expect_child(tracee, event)); break;
    default: break;
  }
  go_on(tracee);
  return {};
}

Result<void> Tracer::expect_child(Tracee& parent, int event) {
  if (functions_) return expect_probed(parent);
  auto child = event_message(parent.tid);
  if (!child || tracees_.find(Tid{static_cast<int32_t>(*child)})) return {};
  int32_t tid = static_cast<int32_t>(*child);
  if (event == PTRACE_EVENT_CLONE && parent.place() != Place::Inside) return {};  // the call was never seen
  bool thread = event == PTRACE_EVENT_CLONE && (clone_flags(parent) & CLONE_THREAD) != 0;
  expected_[tid] = {thread ? parent.pid : Pid{tid}, parent.tid, parent.open_call()};
  return {};
}

/// For a child with its own stop first. nullopt: it is an old status of a thread that is gone.
std::optional<Tracer::Birth> Tracer::birth_of(Tid tid) const {
  auto status = process_status(tid);
  if (!status) return std::nullopt;
  Birth birth{status->pid};
  Pid kin = leader_of(status->pid) == tid ? status->parent : status->pid;
  for (auto& [id, other] : tracees_)
    if (const SyscallDesc* call = other->open_call(); other->pid == kin && call && call->effects.make_process())
      birth.parent = other->tid, birth.by = call;
  return birth;
}

Result<Tracee*> Tracer::welcome(Tid tid) {
  if (functions_) return welcome_probed(tid);
  std::optional<Birth> birth;
  if (auto known = expected_.find(raw(tid)); known != expected_.end()) {
    birth = known->second;
    expected_.erase(known);
  } else {
    birth = birth_of(tid);
  }
  if (!birth) return nullptr;
  if (!request_.follow && leader_of(birth->pid) == tid) {  // a clone(2) that is no thread
    detach(tid);
    return nullptr;
  }
  Tracee& tracee = tracees_.add(tid, birth->pid);
  learn_comm(tracee);
  TRY_VOID(emitter_.report(tracee, now(), 0, AttachedEvent{false, 1, birth->parent, birth->by}));
  return &tracee;
}

Result<void> Tracer::handle_exec(Tracee& process) {
  Tid tid = process.tid;
  process.memory.move_to(tid);
  stacks_.after_exec(process);
  learn_comm(process);
  if (process.is_borrower()) {  // it has memory of its own now, without breakpoints
    cpu_->let_go(tid);
    detach(tid);
    return forget(process);
  }
  bool is_launch = command_ == tid && !command_runs_;
  if (is_launch) {
    command_runs_ = true;
    process.visibility = Visibility::Shown;
  }
  const Call& call = process.call;
  if (!is_launch && process.place() == Place::Inside && request_.detach_on.contains(call.abi, call.nr))
    return let_go(process, 0);
  if (functions_) {
    functions_->executed(process, FunctionWatch::Arm::Yes);
    if (!is_launch) TRY_VOID(emitter_.report(process, now(), 0, ExecutedEvent{}));
  }
  go_on(process);
  return {};
}

/// ptrace(2), "execve(2) under ptrace": the thread that called execve has its leader's id from now on.
Result<void> Tracer::take_over(Tid leader, Tid former) {
  Timestamp at = now();
  Tracee* superseded = tracees_.find(leader);
  Tracee& caller = *tracees_.find(former);
  if (std::exchange(caller.is_unfollowed, false)) caller.visibility = Visibility::Shown;
  if (superseded) TRY_VOID(watch_.at_death(*superseded, at));
  TRY_VOID(emitter_.report(caller, at, 0, RenamedEvent{leader}));
  std::unique_ptr<Tracee> gone = superseded ? tracees_.extract(leader) : nullptr;
  tracees_.rename(former, leader);
  tracees_.find(leader)->call.tid = leader;
  if (!gone) return {};
  if (gone->resume_at_ns != 0) delayed_--;
  const Tracee& process = *tracees_.find(leader);
  gone->last_nr = process.last_nr;
  return emitter_.report(*gone, at, ip_of(process), SupersededEvent{former});
}

}  // namespace strut
