#include "ptrace/engine/tracer.hpp"

#include <algorithm>
#include <csignal>

#include "base/clock.hpp"
#include "process/tracer_process.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/attach.hpp"
#include "ptrace/engine/borrowers.hpp"
#include "ptrace/engine/launch.hpp"
#include "ptrace/engine/seccomp_filter.hpp"

namespace strut {

namespace {

constexpr uint64_t kFlushAfter_ns = 50'000'000;
constexpr uint64_t kLookEvery_ns = 200'000'000;
constexpr uint64_t kLeastPause = 10;  ///< in multiples of the time of a look

/// Only tracees that a launched command's filter reaches can do without syscall-stops. Where functions are traced,
/// calls are needed that the filter knows nothing of.
bool wants_seccomp(const TraceRequest& request) {
  return request.seccomp_filter && request.functions == nullptr && request.follow && request.launch &&
         request.attach.empty();
}

/// Tracees are killed on exit if that was asked for, or because a seccomp filter must not outlive its tracer.
unsigned options_for(const TraceRequest& request) {
  unsigned options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
  if (request.follow || request.functions) options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
  if (request.follows_threads() || request.functions) options |= PTRACE_O_TRACECLONE;
  if (wants_seccomp(request)) options |= PTRACE_O_TRACESECCOMP;
  if (request.kill_on_exit || wants_seccomp(request)) options |= PTRACE_O_EXITKILL;
  return options;
}

EngineSettings settings_for(const TraceRequest& request) {
  return {.options = options_for(request),
          .follow = request.follow,
          .follow_threads = request.follows_threads(),
          .has_breakpoints = request.functions != nullptr,
          .sees_calls = !request.calls.empty() || !request.injections.empty() || !request.detach_on.empty(),
          .usage = request.measure_system_time ? Usage::Measure : Usage::Omit,
          .pidfds = request.decode.comms ? PidfdNames::Learn : PidfdNames::Omit};
}

}  // namespace

Tracer::Tracer(const TraceRequest& request, Sink& sink, Listener& listener, const PtraceParts& parts)
    : request_(request),
      listener_(listener),
      engine_(settings_for(request)),
      observer_(request, sink, listener, parts, engine_) {}

BackendStats Tracer::stats() const { return {observer_.events(), 0, observer_.unseen(), 0, 0, startup_ns_}; }

Result<Outcome> Tracer::run() {
  began_ns_ = monotonic_ns();
  TRY_VOID(begin());
  Result<void> ended = loop();
  if (!ended && observer_.functions()) give_back();
  TRY_VOID(ended);
  TRY_VOID(observer_.emitter().flush());
  Outcome& outcome = observer_.outcome();
  if (observer_.command() && observer_.is_command_child() && !outcome.command_ended)
    outcome.left = Pid{raw(*observer_.command())};
  return outcome;
}

// -- beginning --------------------------------------------------------------------------------------------------------

Result<void> Tracer::begin() {
  Tracee* command = nullptr;
  if (request_.launch) {
    std::vector<sock_filter> filter;
    if (wants_seccomp(request_)) filter = seccomp_program(request_.calls);
    Launched launched = TRY(launch(request_, engine_.settings().options, filter));
    command = &engine_.tracees().add(leader_of(launched.pid), launched.pid);
    observer_.launched(*command, launched.is_child);
  }
  TRY_VOID(attach_requested());
  if (command && !observer_.is_command_child())
    TRY_VOID(observer_.emitter().report(*command, now(), 0, AttachedEvent{true, 1}));
  startup_ns_ = monotonic_ns() - began_ns_;
  return {};
}

Result<void> Tracer::attach_requested() {
  std::string complaint;  // the last one waits: if no process can be attached to it is the failure
  auto complain = [&] {
    if (!complaint.empty()) listener_.say(complaint);
    complaint.clear();
  };
  for (Pid pid : request_.attach) {
    bool all_threads = request_.attaches_threads() || request_.functions;
    Attached attached = attach(pid, all_threads ? AttachTo::Process : AttachTo::Thread, engine_.settings().options);
    if (request_.functions && !attached.lacking.empty()) return fail(lacks_threads(pid, std::move(attached.lacking)));
    if (request_.functions) await_stops(attached.threads);
    for (std::string& line : attached.complaints) {
      complain();
      complaint = std::move(line);
    }
    if (attached.threads.empty()) continue;
    complain();
    TRY_VOID(add_attached(pid, attached.threads));
  }
  if (request_.functions) TRY_VOID(attach_borrowers());
  if (engine_.tracees().empty()) return fail({0, std::move(complaint), {}, {}, {}});
  complain();
  return {};
}

/// `id`: the process or thread that was asked for.
Result<void> Tracer::add_attached(Pid id, std::span<const Tid> threads) {
  TraceeTable& tracees = engine_.tracees();
  for (Tid tid : threads) {
    auto status = process_status(tid);
    Tracee& tracee = tracees.add(tid, status ? status->pid : id);
    tracee.just_attached = true;
    tracee.is_unfollowed = !request_.attaches_threads() && raw(tid) != raw(id);
    if (tracee.is_unfollowed) tracee.visibility = Visibility::Hidden;
    observer_.learn_comm(tracee);
  }
  Tracee* asked_for = tracees.find(Tid{raw(id)});
  Tracee& first = asked_for ? *asked_for : *tracees.find(threads.front());
  auto followed = std::ranges::count_if(threads, [&](Tid tid) { return !tracees.find(tid)->is_unfollowed; });
  return observer_.emitter().report(first, now(), 0, AttachedEvent{true, static_cast<uint32_t>(followed)});
}

/// Nothing is reported of them.
Result<void> Tracer::attach_borrowers() {
  TraceeTable& tracees = engine_.tracees();
  std::vector<MemoryOwner> owners;
  for (Pid pid : request_.attach) {
    auto lives = [&](auto& entry) { return entry.second->pid == pid && state_of(entry.second->tid) != 'Z'; };
    auto thread = std::find_if(tracees.begin(), tracees.end(), lives);
    if (thread != tracees.end()) owners.push_back({pid, thread->second->tid});
  }
  for (auto& [pid, borrowers] : attach_to_borrowers(owners, engine_.settings().options)) {
    if (!borrowers.lacking.empty()) return fail(lacks_threads(pid, std::move(borrowers.lacking)));
    for (Tracee* tracee : add_borrowers(tracees, borrowers.threads)) {
      tracee->just_attached = true;
      tracee->visibility = Visibility::Hidden;
    }
  }
  return {};
}

// -- running ----------------------------------------------------------------------------------------------------------

Result<void> Tracer::loop() {
  auto command = observer_.command();
  Interruption interruption(request_.interruptible, Waits::InTheKernel, command ? Pid{raw(*command)} : Pid{});
  engine_.begin(observer_, request_);
  set_alarm();
  if (observer_.functions() && !engine_.is_leaving())
    for (Pid pid : request_.attach) observer_.functions()->attached(pid);
  while (!engine_.is_over()) {
    TRY_VOID(tend());
    if (engine_.is_over() || TRY(engine_.step()) == Engine::Step::NoTracee) break;
  }
  TRY_VOID(engine_.end());
  return {};
}

Result<void> Tracer::tend() {
  EventEmitter<TraceeTable>& emitter = observer_.emitter();
  if (emitter.dirty() && flush_at_ns_ == 0) {
    flush_at_ns_ = monotonic_ns() + kFlushAfter_ns;
    set_alarm();
  }
  if (engine_.rang()) {
    if (flush_at_ns_ != 0 && monotonic_ns() >= flush_at_ns_) {
      flush_at_ns_ = 0;
      TRY_VOID(emitter.flush());
    }
    TRY_VOID(look_for_sleepers());
    set_alarm();
  }
  if (engine_.is_leaving()) return {};
  if (observer_.functions() && TracerProcess::is_orphaned()) {
    emitter.mute();
    return leave_all();
  }
  if (int signal = Interruption::caught(); signal != 0) {
    observer_.outcome().interrupted_by = signal;
    return leave_all();
  }
  return {};
}

Result<void> Tracer::look_for_sleepers() {
  uint64_t time = monotonic_ns();
  if (request_.sleeping_after_ns == 0 || engine_.is_leaving() || time < look_for_sleepers_at_ns_) return {};
  TRY_VOID(observer_.report_sleepers());
  uint64_t end = monotonic_ns();
  look_for_sleepers_at_ns_ = end + std::max(kLookEvery_ns, kLeastPause * (end - time));
  return {};
}

void Tracer::set_alarm() {
  uint64_t at = flush_at_ns_ != 0 ? flush_at_ns_ : UINT64_MAX;
  if (request_.sleeping_after_ns != 0) at = std::min(at, look_for_sleepers_at_ns_);
  engine_.set_alarm(at, kFlushAfter_ns);
}

// -- ending -----------------------------------------------------------------------------------------------------------

/// A command that strut launched ends with it, as it would if the signal had come to both from a terminal.
Result<void> Tracer::leave_all() {
  int signal = observer_.outcome().interrupted_by;
  auto command = observer_.command();
  bool ends_command = signal != 0 && !request_.spares_command;
  if (ends_command && command && observer_.is_command_child() && engine_.tracees().find(*command)) {
    ::kill(raw(*command), SIGCONT);
    ::kill(raw(*command), signal);
  }
  return engine_.leave(signal == SIGUSR2 ? LeaveThem::Stopped : LeaveThem::Running);
}

/// Whatever went wrong, targets are to have no breakpoints when strut ends.
void Tracer::give_back() {
  observer_.emitter().mute();
  if (!engine_.is_leaving()) (void)leave_all();
  while (!engine_.tracees().empty() && loop()) {
  }
}

}  // namespace strut
