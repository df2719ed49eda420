#include "ptrace/tracer.hpp"

#include <cerrno>

#include <sys/resource.h>
#include <sys/wait.h>

#include "core/proc/process_status.hpp"
#include "ptrace/control.hpp"
#include "ptrace/launch.hpp"

namespace strut {

namespace {

uint64_t nanoseconds_of(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
}

}  // namespace

Tracer::Tracer(const TraceRequest& request, Sink& sink, Listener& listener)
    : request_(request), listener_(listener), teller_(sink), watch_(request, teller_) {}

BackendStats Tracer::stats() const { return {teller_.events(), 0, watch_.unseen(), startup_ns_}; }

unsigned Tracer::options() const {
  unsigned options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC;
  if (request_.follow) options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
  if (request_.kill_on_exit) options |= PTRACE_O_EXITKILL;
  return options;
}

Result<Outcome> Tracer::run() {
  began_ns_ = now().monotonic_ns;
  TRY_VOID(begin());
  TRY_VOID(loop());
  TRY_VOID(teller_.flush());
  return outcome_;
}

Result<void> Tracer::begin() {
  if (request_.launch) {
    Launched launched = TRY(launch(request_, options()));
    command_ = launched.pid;
    Tracee& tracee = tracees_.add(leader_of(launched.pid), launched.pid);
    tracee.visibility = Visibility::Hidden;
  }
  startup_ns_ = now().monotonic_ns - began_ns_;
  return {};
}

Result<void> Tracer::loop() {
  rusage usage{};
  rusage* wanted_usage = request_.measure_system_time ? &usage : nullptr;
  while (!tracees_.empty()) {
    int status;
    pid_t tid = ::wait4(-1, &status, __WALL, wanted_usage);
    if (tid < 0) {
      if (errno == EINTR) continue;
      break;  // ECHILD: nobody is left
    }
    TRY_VOID(handle(Tid{tid}, status, nanoseconds_of(usage.ru_stime)));
  }
  return {};
}

Result<void> Tracer::handle(Tid tid, int status, uint64_t system_time_ns) {
  Stop stop = classify(status);
  bool dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
  Tracee* tracee = tracees_.find(tid);
  if (!tracee) {
    if (dead) return {};
    tracee = TRY(welcome(tid));
  }
  if (dead) return handle_death(*tracee, stop, status);
  return handle_stop(*tracee, stop, system_time_ns);
}

Result<Tracee*> Tracer::welcome(Tid tid) {
  auto status = process_status(tid);
  Tracee& tracee = tracees_.add(tid, status ? status->pid : Pid{raw(tid)});
  TRY_VOID(teller_.tell(tracee, now(), 0, AttachedEvent{false}));
  return &tracee;
}

Result<void> Tracer::handle_stop(Tracee& tracee, const Stop& stop, uint64_t system_time_ns) {
  if (std::holds_alternative<SyscallStop>(stop)) {
    SyscallInfo info;
    if (read_syscall_info(tracee.tid, info)) {
      TRY_VOID(watch_.at_stop(tracee, info, system_time_ns));
      go_on(tracee);
    }
    return {};
  }
  if (auto* event = std::get_if<EventStop>(&stop)) return handle_event(tracee, event->event);
  if (auto* signal = std::get_if<SignalStop>(&stop)) return handle_signal(tracee, signal->signal);
  if (auto* group = std::get_if<GroupStop>(&stop)) return handle_group_stop(tracee, group->signal);
  tracee.group_stopped = false;
  go_on(tracee);
  return {};
}

void Tracer::go_on(Tracee& tracee, int signal) { restart(tracee.tid, Restart::ToSyscall, signal); }

Result<void> Tracer::handle_event(Tracee& tracee, int event) {
  if (event == PTRACE_EVENT_EXEC) return handle_exec(tracee);
  go_on(tracee);
  return {};
}

Result<void> Tracer::handle_exec(Tracee& tracee) {
  go_on(tracee);
  return {};
}

Result<void> Tracer::handle_signal(Tracee& tracee, int signal) {
  if (tracee.visibility == Visibility::Hidden && signal == SIGSTOP) {
    tracee.visibility = Visibility::Shown;
    go_on(tracee);
    return {};
  }
  if (request_.signals[static_cast<size_t>(signal)]) {
    SignalEvent event{signal, {}, {}};
    if (!read_siginfo(tracee.tid, event.info)) return {};
    TRY_VOID(teller_.tell(tracee, now(), 0, event));
  }
  go_on(tracee, signal);
  return {};
}

Result<void> Tracer::handle_group_stop(Tracee& tracee, int signal) {
  if (!tracee.group_stopped && request_.signals[static_cast<size_t>(signal)])
    TRY_VOID(teller_.tell(tracee, now(), 0, StopEvent{signal}));
  tracee.group_stopped = true;
  restart(tracee.tid, Restart::Listening);
  return {};
}

Result<void> Tracer::handle_death(Tracee& tracee, const Stop& stop, int status) {
  Moment at = now();
  TRY_VOID(watch_.at_death(tracee, at));
  if (auto* exited = std::get_if<ExitStop>(&stop)) {
    TRY_VOID(teller_.tell(tracee, at, 0, ExitedEvent{exited->status}));
  } else {
    const auto& killed = std::get<KilledStop>(stop);
    TRY_VOID(teller_.tell(tracee, at, 0, KilledEvent{killed.signal, killed.core_dumped}));
  }
  if (command_ && leader_of(*command_) == tracee.tid) {
    outcome_.status = status;
    outcome_.command_ended = true;
  }
  tracees_.remove(tracee.tid);
  return {};
}

}  // namespace strut
