#include "ptrace/engine/tracer.hpp"

#include <algorithm>
#include <cerrno>

#include "base/clock.hpp"
#include "process/tracer_process.hpp"
#include "procfs/process_status.hpp"
#include "ptrace/engine/attach.hpp"
#include "ptrace/engine/launch.hpp"
#include "ptrace/engine/patience.hpp"
#include "ptrace/engine/seccomp_filter.hpp"

namespace strut {

namespace {

/// The number of them without a look at the others. A tracee that gets ahead of the others changes their behaviour: the
/// process of a pipeline that exits first.
constexpr int kMaxGlimpses = 2;
/// How many are asked by name before the kernel is asked for any: it reports in an order of its own.
constexpr int kAskedAtOnce = 4;
constexpr uint64_t kFlushAfter_ns = 50'000'000;

/// Only tracees that a launched command's filter reaches can do without syscall-stops. Where functions are traced,
/// calls are needed that the filter knows nothing of.
bool wants_seccomp(const TraceRequest& request) {
  return request.seccomp_filter && request.functions == nullptr && request.follow && request.launch &&
         request.attach.empty();
}

}  // namespace

Tracer::Tracer(const TraceRequest& request, Sink& sink, Listener& listener, Unwinder* unwinder)
    : request_(request),
      listener_(listener),
      emitter_(sink, tracees_),
      stacks_(request, unwinder),
      watch_(request, emitter_, stacks_, listener),
      tracees_(request.decode.comms ? PidfdNames::Learn : PidfdNames::Omit),
      usage_(request.measure_system_time ? Usage::Measure : Usage::Omit),
      kill_on_exit_(request.kill_on_exit || wants_seccomp(request)) {
  if (request.functions) functions_.emplace(request, emitter_, stacks_, tracees_, waiting_);
}

BackendStats Tracer::stats() const { return {emitter_.events(), 0, watch_.unseen(), 0, 0, startup_ns_}; }

unsigned Tracer::options() const {
  unsigned options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT;
  if (request_.follow || functions_) options |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK;
  if (request_.follows_threads() || functions_) options |= PTRACE_O_TRACECLONE;
  if (wants_seccomp(request_)) options |= PTRACE_O_TRACESECCOMP;
  if (kill_on_exit_) options |= PTRACE_O_EXITKILL;
  return options;
}

Result<Outcome> Tracer::run() {
  began_ns_ = monotonic_ns();
  TRY_VOID(begin());
  Result<void> ended = loop();
  if (!ended && functions_) give_back();
  TRY_VOID(ended);
  TRY_VOID(emitter_.flush());
  if (command_ && command_is_child_ && !outcome_.command_ended) outcome_.left = Pid{raw(*command_)};
  return outcome_;
}

Result<void> Tracer::begin() {
  if (request_.launch) {
    std::vector<sock_filter> filter;
    if (wants_seccomp(request_)) filter = seccomp_program(request_.calls);
    Launched launched = TRY(launch(request_, options(), filter));
    command_ = leader_of(launched.pid);
    command_is_child_ = launched.is_child;
    Tracee& tracee = tracees_.add(*command_, launched.pid);
    tracee.visibility = Visibility::Hidden;
  }
  TRY_VOID(attach_requested());
  if (command_ && !command_is_child_)
    TRY_VOID(emitter_.report(*tracees_.find(*command_), now(), 0, AttachedEvent{true, 1}));
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
    bool all_threads = request_.attaches_threads() || functions_;
    Attached attached = attach(pid, all_threads ? AttachTo::Process : AttachTo::Thread, options());
    if (functions_ && !attached.lacking.empty())
      return fail({0, "attach", std::to_string(raw(pid)), std::move(attached.lacking), "Breakpoints would kill it"});
    if (functions_) await_stops(attached.threads);
    for (std::string& line : attached.complaints) {
      complain();
      complaint = std::move(line);
    }
    for (Tid tid : attached.threads) {
      auto status = process_status(tid);
      Tracee& tracee = tracees_.add(tid, status ? status->pid : pid);
      tracee.just_attached = true;
      tracee.is_unfollowed = !request_.attaches_threads() && raw(tid) != raw(pid);
      if (tracee.is_unfollowed) tracee.visibility = Visibility::Hidden;
      learn_comm(tracee);
    }
    if (attached.threads.empty()) continue;
    complain();
    Tracee* asked_for = tracees_.find(Tid{raw(pid)});
    Tracee& first = asked_for ? *asked_for : *tracees_.find(attached.threads.front());
    auto followed =
        std::ranges::count_if(attached.threads, [&](Tid tid) { return !tracees_.find(tid)->is_unfollowed; });
    TRY_VOID(emitter_.report(first, now(), 0, AttachedEvent{true, static_cast<uint32_t>(followed)}));
  }
  if (functions_) TRY_VOID(attach_borrowers());
  if (tracees_.empty()) return fail({0, std::move(complaint), {}, {}, {}});
  complain();
  return {};
}

Result<void> Tracer::loop() {
  Interruption interruption(request_.interruptible, Waits::InTheKernel, command_ ? Pid{raw(*command_)} : Pid{});
  alarm_.emplace();
  cpu_.emplace(request_);
  set_alarm();
  if (functions_ && !is_leaving_)
    for (Pid pid : request_.attach) functions_->attached(pid);
  auto none_left = [&] { return tracees_.empty() && expected_.empty() && !(functions_ && functions_->awaits_any()); };
  while (!none_left()) {
    TRY_VOID(tend());
    if (none_left()) break;
    if (SyscallInfo info{}; Tracee* tracee = glimpsed_call(info)) {
      cpu_->at_stop(tracee->tid, monotonic_ns(), company_of(*tracee), Caught::AtOnce);
      TRY_VOID(handle_call(*tracee, info, 0));
      continue;
    }
    std::optional<Waited> waited = glimpsed_trap();
    if (!waited) waited = next();
    if (waited) {
      if (is_leaving_) last_stop_ns_ = monotonic_ns();
      TRY_VOID(handle(*waited));
    } else if (errno != EINTR) {
      break;  // ECHILD: no tracee is left
    } else if (is_leaving_) {
      TRY_VOID(while_nothing_stops());
    }
  }
  // The remaining ones do not exist any more: leaders of untraced threads that called execve.
  while (!tracees_.empty()) TRY_VOID(let_go(*tracees_.begin()->second, 0));
  cpu_.reset();
  alarm_.reset();
  return {};
}

Result<void> Tracer::tend() {
  if (emitter_.dirty() && flush_at_ns_ == 0) {
    flush_at_ns_ = monotonic_ns() + kFlushAfter_ns;
    set_alarm();
  }
  if (AlarmClock::rang()) {
    if (flush_at_ns_ != 0 && monotonic_ns() >= flush_at_ns_) {
      flush_at_ns_ = 0;
      TRY_VOID(emitter_.flush());
    }
    resume_due();
    TRY_VOID(look_for_sleepers());
    set_alarm();
  }
  if (functions_ && TracerProcess::is_orphaned() && !is_leaving_) {
    emitter_.mute();
    return leave_all();
  }
  if (int signal = Interruption::caught(); signal != 0 && !is_leaving_) {
    outcome_.interrupted_by = signal;
    return leave_all();
  }
  return {};
}

/// The tracee that may be polled: none where a wait returns more (CPU time), or where others have waited long enough.
Tracee* Tracer::worth_a_glimpse() {
  Tid tid = stop_poll_.candidate();
  if (tid == Tid{} || !waiting_.empty() || usage_ == Usage::Measure || is_leaving_) return nullptr;
  if (tracees_.size() > 1 && ++glimpses_ > kMaxGlimpses) return nullptr;
  return tracees_.find(tid);
}

Tracee* Tracer::glimpsed_call(SyscallInfo& info) {
  Tracee* tracee = functions_ ? nullptr : worth_a_glimpse();
  return tracee && stop_poll_.catches(*tracee, seccomp_in_force_, chance(), info) ? tracee : nullptr;
}

/// For the thread that stops at breakpoints only.
std::optional<Waited> Tracer::glimpsed_trap() {
  Tracee* tracee = functions_ ? worth_a_glimpse() : nullptr;
  if (!tracee || restart_of(*tracee) != Restart::Freely || !stop_poll_.catches_trap(tracee->tid, chance()))
    return std::nullopt;
  tracee->probed.is_at_int3 = true;
  return stopped_by(tracee->tid, SIGTRAP);
}

/// Polls a few, beginning after the last polled one: a stopped tracee is soon found. New ones come last, as the kernel
/// has them.
std::optional<Waited> Tracer::next_in_turn() {
  auto at = tracees_.after(turn_);
  for (size_t left = std::min<size_t>(tracees_.size(), kAskedAtOnce); left > 0; left--) {
    turn_ = at->second->tid;
    if (std::optional<Waited> waited = look_at(turn_, usage_)) return waited;
    if (++at == tracees_.end()) at = tracees_.begin();
  }
  int asked = 0;
  for (auto& [tid, birth] : expected_) {
    if (asked++ == kAskedAtOnce) break;
    if (std::optional<Waited> waited = look_at(Tid{tid}, usage_)) return waited;
  }
  return std::nullopt;
}

/// Stops are looked at here, not taken: a tracer that is killed must not take SIGTRAP of a breakpoint with it.
std::optional<Waited> Tracer::next() {
  stop_poll_.went_on(Tid{});
  glimpses_ = 0;
  if (!waiting_.empty()) {
    Waited first = waiting_.front();
    waiting_.pop_front();
    return first;
  }
  if (tracees_.size() > 1 || !expected_.empty())
    if (std::optional<Waited> waited = next_in_turn()) return waited;
  return look_at_next(usage_, WaitScope::Thread);
}

Result<void> Tracer::handle(const Waited& waited) {
  Stop stop = classify(waited.status);
  bool dead = std::holds_alternative<ExitStop>(stop) || std::holds_alternative<KilledStop>(stop);
  TRY_VOID(follow_exec(waited.tid, stop));
  Tracee* tracee = tracees_.find(waited.tid);
  if (!tracee && !dead && is_leaving_ && !functions_) let_newborn_go(waited.tid);
  else if (!tracee && !dead) tracee = TRY(welcome(waited.tid));
  if (!tracee) {
    expected_.erase(raw(waited.tid));
    if (functions_ && dead) functions_->forget(waited.tid);
    take(waited.tid);
    return functions_ && dead && is_leaving_ ? leave_standing() : Result<void>{};
  }
  if (dead) {
    TRY_VOID(handle_death(*tracee, stop, waited.status));
    return is_leaving_ && tracees_.all_stand() ? leave_standing() : Result<void>{};
  }
  Caught caught = tracee->probed.is_at_int3 ? Caught::AtOnce : Caught::Waiting;
  cpu_->at_stop(waited.tid, monotonic_ns(), company_of(*tracee), caught);
  note_vfork(tracee->probed, stop);
  if (is_leaving_ || tracee->abandoned) return let_go_at(*tracee, stop);
  return handle_stop(*tracee, stop, waited.system_time_ns);
}

/// A thread that called execve stops as its leader, whether the leader was traced or not.
Result<void> Tracer::follow_exec(Tid tid, const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  if (!event || event->event != PTRACE_EVENT_EXEC) return {};
  // A thread with a changed id answers no request before this stop was taken: Linux 5.13 protects tracers that know
  // only the old leader.
  take(tid);
  auto message = event_message(tid);
  Tid former = message ? Tid{static_cast<int32_t>(*message)} : tid;
  if (former == tid || !tracees_.find(former)) return {};
  return take_over(tid, former);
}

}  // namespace strut
