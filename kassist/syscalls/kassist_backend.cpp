#include "kassist/syscalls/kassist_backend.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <functional>
#include <future>
#include <map>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/functions/arming.hpp"
#include "kassist/loader/programs.hpp"
#include "kassist/loader/restriction.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/plans/around.hpp"
#include "kassist/plans/plan.hpp"
#include "kassist/plans/usual_plans.hpp"
#include "kassist/syscalls/attach.hpp"
#include "kassist/syscalls/event_builder.hpp"
#include "kassist/syscalls/living.hpp"
#include "kassist/syscalls/stopping.hpp"
#include "kassist/transport/drain.hpp"
#include "kassist/transport/order.hpp"
#include "kassist/transport/signal_state.hpp"
#include "kassist/uprobes/system_wide.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "kassist/uprobes/uprobe_warm_up.hpp"
#include "kassist/uprobes/uretprobes.hpp"
#include "process/caller.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"
#include "process/wait_status.hpp"
#include "procfs/process_status.hpp"
#include "trace/held_command.hpp"

namespace strut {

namespace {

/// A record can come this much later than one that happened after it: the time between taking its time and finding its
/// place in the ring, with an interrupt in between.
constexpr uint64_t kWindow_ns = 2'000'000;
/// An entry that lacks memory is reported at last.
constexpr uint64_t kHold_ns = 5'000'000;
constexpr int kWait_ms = 2;          ///< while records wait for their time
constexpr int kRelaxedWait_ms = 10;  ///< in a system-wide trace, where the drain looks at the ring less often
constexpr int kIdle_ms = 50;         ///< and for signals to strut
constexpr int kNicer = 10;
constexpr uint64_t kFlushEvery_ns = 20'000'000;
constexpr uint64_t kLookAgain_ns = 1'000'000'000;
constexpr uint64_t kLookForSleepers_ns = 100'000'000;
constexpr uint64_t kPatience_ns = 1'000'000'000;
constexpr uint64_t kStopPatience_ns = 10'000'000'000;  ///< on a busy machine births are reported late
constexpr useconds_t kNudgeEvery_us = 500;
/// Processes that a system-wide trace excludes. Room for them takes the kernel half a millisecond.
constexpr uint32_t kMaxProcesses = 1 << 16;

std::string unfollowed_text(uint64_t threads) {
  return std::to_string(threads) + (threads == 1 ? " thread was" : " threads were") +
         " not followed: the kernel had no memory for the mark";
}

/// The kernel knows a process by its first thread, where uprobes are to be for one process.
bool leaders_live(std::span<const Pid> processes) {
  return std::ranges::none_of(processes, [](Pid pid) {
    auto leader = process_status(leader_of(pid));
    return leader && (leader->state == 'Z' || leader->state == 'X');
  });
}

std::string unreported_text(uint64_t events) {
  return std::to_string(events) + (events == 1 ? " event was" : " events were") +
         " not reported: strut was interrupted once more";
}

std::string unasked_text(uint64_t times) {
  return "calls may be missing: " + std::to_string(times) + " times there was no room to ask for code to be armed";
}

/// Whether system calls are reported, or are needed for other events.
bool needs_calls(const TraceRequest& request) {
  return !request.functions || !request.calls.empty() || request.stack_frames != 0 || !request.detach_on.empty() ||
         request.system_wide;
}

class KassistBackend final : public Backend {
 public:
  KassistBackend(Transport transport, std::unique_ptr<Unwinder> unwinder)
      : transport_(std::move(transport)), unwinder_(std::move(unwinder)) {}
  std::string_view name() const override { return "kassist"; }
  Result<Outcome> run(const TraceRequest& request, Sink& sink, Listener& listener) override;
  BackendStats stats() const override { return stats_; }

 private:
  Transport transport_;
  std::unique_ptr<Unwinder> unwinder_;
  BackendStats stats_;
};

/// One run.
class Run {
 public:
  Run(const TraceRequest& request, const Transport& transport, Sink& sink, Listener& listener, Unwinder* unwinder)
      : request_(request),
        transport_(transport),
        listener_(listener),
        builder_(request, sink, listener, unwinder),
        leaves_calls_(!needs_calls(request)),
        command_alone_(request.launch && request.attach.empty() && !request.system_wide) {}

  ~Run() { finish_launch(); }
  Result<Outcome> all();
  BackendStats stats() const {
    return {builder_.events(), lost() + unreported_, builder_.unseen(), builder_.late(), drain_ ? drain_->holds() : 0,
            startup_ns_,       unfollowed()};
  }

 private:
  Result<void> begin();
  Result<void> open_functions();
  Result<void> begin_functions(const Tuning& tuning);
  Result<void> attach_functions();
  void launch(HeldCommand command);
  void watch_launch(HeldCommand& command, LaunchWatch* watch);
  void finish_launch();
  Result<void> attach_requested();
  Result<void> follow_all();
  Result<void> follow_command(HeldCommand& command);
  Result<void> loop();
  void leave_calls();
  void take(const std::shared_ptr<const Batch>& batch);
  Result<void> tend(uint64_t reported_before_ns);
  Result<void> look_for_heirs_end();
  void look_for_hidden_commands_end();
  Result<void> report_until(uint64_t before_ns);
  Result<void> leave_out_rest();
  Result<bool> any_left();
  Result<void> flush_when_due(bool caught_up);
  Result<void> settle_losses(uint64_t before_ns);
  uint64_t unasked() const { return programs_ ? std::atomic_ref(programs_->control().arming.unasked).load() : 0; }
  uint64_t unfollowed() const { return programs_ ? std::atomic_ref(programs_->control().losses.unfollowed).load() : 0; }
  uint64_t lost() const { return programs_ ? std::atomic_ref(programs_->control().losses.events).load() : 0; }
  [[noreturn]] void leave_orphaned();
  Result<void> leave();
  Result<void> stop_targets();
  Result<void> report_next(int timeout_ms, uint64_t& reported_before_ns);
  void complain();
  void end_command(int signal) const;
  void take_status();

  const TraceRequest& request_;
  const Transport& transport_;
  Listener& listener_;
  EventBuilder builder_;
  // Before all that has uprobes: no signal ends strut until these are taken out.
  std::optional<Interruption> interruption_;
  std::optional<SignalsHeldBack> held_back_;  ///< while functions are armed for the first time
  std::optional<Programs> programs_;
  std::unique_ptr<Drain> drain_;
  std::optional<UprobeWarmUp> warm_up_;
  std::optional<FunctionPrograms> function_programs_;
  std::unique_ptr<FunctionArming> functions_;  ///< nullptr: no functions are traced
  std::atomic<bool> launching_ = false;        ///< the command's launch is watched …
  std::thread launcher_;                       ///< … by this one
  Order order_;
  Living living_;
  Outcome outcome_;
  int nice_ = 0;             ///< before it became nicer
  uint64_t unreported_ = 0;  ///< events that came, and that nothing was waiting for
  uint64_t flushed_ns_ = 0;
  uint64_t lost_before_ = 0;  ///< when losses were settled last
  std::optional<Pid> child_;
  bool leaves_calls_;          ///< the hooks of system calls are there only for the command's start
  bool command_alone_;         ///< only a launched command and its children are followed
  bool over_ = false;          ///< all processes were detached
  uint64_t looked_at_ns_ = 0;  ///< the time of the last check for living threads
  uint64_t looked_for_sleepers_ns_ = 0;
  uint64_t startup_ns_ = 0;
};

Result<Outcome> Run::all() {
  uint64_t began = monotonic_ns();
  TRY_VOID(begin());
  startup_ns_ = monotonic_ns() - began;
  TRY_VOID(loop());
  finish_launch();
  drain_->dismiss();  // the thread ends meanwhile
  programs_->stop();  // while the command still dies
  if (functions_) functions_->stop();
  TRY_VOID(builder_.flush());
  if (uint64_t threads = unfollowed()) listener_.say(unfollowed_text(threads));
  complain();
  if (uint64_t times = unasked()) listener_.say(unasked_text(times));
  take_status();
  if (!outcome_.command_ended) outcome_.left = child_;
  return outcome_;
}

/// The kernel takes a fifth of a millisecond for each megabyte of a ring, and the target fills caches with all of it. A
/// small one is enough where the brake can stop threads that fill it, and where no event is a quarter of it.
uint32_t ring_bytes_for(const TraceRequest& request, const Transport& transport) {
  constexpr uint32_t kSmall = 4 << 20, kLarge = 16 << 20;
  constexpr size_t kShortStrings = 4096;
  const DecodeOptions& decode = request.decode;
  bool brief = decode.max_string_bytes <= kShortStrings && decode.dump_reads.none() && decode.dump_writes.none() &&
               decode.abbreviate == SyscallSet::all() && request.stack_frames == 0;
  bool command_alone = request.launch && request.attach.empty() && !request.system_wide;
  return brief && command_alone && transport.make_brake ? kSmall : kLarge;
}

Result<Tuning> tuning_for(const TraceRequest& request, const Transport& transport) {
  Tuning tuning;
  tuning.ring_bytes = transport.ring_bytes ? transport.ring_bytes : ring_bytes_for(request, transport);
  tuning.follow_children = request.follow           ? WIRE_FOLLOW_CHILDREN
                           : request.follow_threads ? WIRE_FOLLOW_THREADS
                                                    : WIRE_FOLLOW_NONE;
  tuning.around = surroundings_wanted(request);
  tuning.detach_on_exec = !request.detach_on.empty();
  tuning.measure_system_time = request.measure_system_time;
  tuning.return_times = request.need_return_times || request.measure_system_time;
  if (request.stack_frames != 0) {
    tuning.stack_bytes = transport.stack_bytes;
    tuning.frames_only = transport.frames_only;
    tuning.signal_state_bytes = signal_state_bytes();
  }
  tuning.seeds = request.system_wide ? kMaxProcesses : static_cast<uint32_t>(request.attach.size());
  tuning.alone =
      request.launch && !tuning.follow_children && !tuning.seeds && !request.functions && !restriction().is_restricted;
  tuning.call_hooks = request.launch || needs_calls(request);
  if (request.system_wide) tuning.choice = TRY(choice_of(*request.system_wide));
  return tuning;
}

Result<void> Run::begin() {
  if (std::optional<Error> obstacle = kassist_obstacle()) return fail(std::move(*obstacle));
  if (std::optional<Error> obstacle = request_.functions ? uprobe_obstacle() : std::nullopt)
    return fail(std::move(*obstacle));
  std::optional<HeldCommand> command;
  if (request_.launch) command.emplace(TRY(HeldCommand::fork(request_, {})));
  if (request_.functions) held_back_.emplace();
  if (request_.functions) TRY_VOID(open_functions());
  std::optional<PlanView> usual = usual_plans(request_);
  std::future<PlanTable> computed;
  if (!usual) computed = std::async(std::launch::async, plans_for, std::cref(request_));
  Tuning tuning = TRY(tuning_for(request_, transport_));
  programs_.emplace(
      TRY(Programs::load(tuning, function_programs_ ? function_programs_->types_wanted() : TypesWanted{})));
  TRY_VOID(programs_->install(usual ? *usual : computed.get().view()));
  if (function_programs_) TRY_VOID(begin_functions(tuning));
  TRY_VOID(programs_->attach());
  drain_ = TRY(Drain::start(programs_->ring(), programs_->ring_bytes(), TRY(programs_->lanes()), programs_->control(),
                            transport_.make_brake,
                            request_.system_wide ? RingDrain::Pace::Relaxed : RingDrain::Pace::Prompt));
  if (function_programs_) TRY_VOID(attach_functions());
  if (command_alone_ && !request_.functions && !request_.need_times) drain_->count_moments();
  if (command) TRY_VOID(follow_command(*command));
  if (!request_.attach.empty()) TRY_VOID(attach_requested());
  if (request_.system_wide) TRY_VOID(follow_all());
  // After the command was forked, which keeps the signal state that strut was started with.
  interruption_.emplace(request_.interruptible, Waits::Briefly, command ? command->pid() : Pid{});
  held_back_.reset();
  if (command) launch(std::move(*command));
  return {};
}

Result<void> Run::open_functions() {
  if (request_.system_wide)
    return fail({0, "kassist", {}, "it traces functions in processes that are named", "Leave out --all"});
  if (!request_.launch) warm_up_.emplace();  // attached processes run already
  using Reach = FunctionPrograms::Reach;
  bool is_held = transport_.make_brake != nullptr;
  Reach reach = leaders_live(request_.attach) && (!request_.follow || is_held) ? Reach::Followed : Reach::SystemWide;
  function_programs_.emplace(TRY(FunctionPrograms::open(request_, {reach, is_held})));
  return {};
}

/// Symbols are read while the kernel verifies: either takes about as long.
Result<void> Run::begin_functions(const Tuning& tuning) {
  // The kernel's own code makes this call where a return address was replaced.
  TRY_VOID(programs_->leave_out(Abi::X86_64, kUretprobe));
  TRY_VOID(function_programs_->load(tuning, *programs_));
  FunctionArming::Holding holding{transport_.make_brake != nullptr, [this] {
                                    if (drain_) drain_->hurry_up();
                                  }};
  functions_ = TRY(FunctionArming::make(request_, *function_programs_, programs_->control(), std::move(holding),
                                        transport_.uprobe_cost_text));
  for (const AskedFor& target : plan_attach(request_.attach, request_.attaches_threads()).targets)
    functions_->look_ahead(target.process);
  return {};
}

Result<void> Run::attach_functions() {
  drain_->hold(request_.follow ? Brake::Fresh::ProgramsAndChildren : Brake::Fresh::Programs);
  TRY_VOID(function_programs_->attach());
  functions_->start();
  return {};
}

/// Where functions are traced the command is stopped until all its linked libraries are armed. By a thread of its own:
/// the command may make many calls before it is released, and these must be reported.
void Run::launch(HeldCommand command) {
  if (!functions_) return command.release();
  functions_->follow(command.pid());
  launching_ = true;
  launcher_ = std::thread([this, watch = transport_.make_launch_watch ? transport_.make_launch_watch() : nullptr,
                           command = std::move(command)]() mutable {
    watch_launch(command, watch.get());
    launching_ = false;
  });
}

/// If another tracer already owns the command, its dynamic linker requests arming through a uprobe.
void Run::watch_launch(HeldCommand& command, LaunchWatch* watch) {
  bool is_seized = watch && watch->seize(command.pid());
  if (is_seized) drain_->spare(command.pid());
  else functions_->expect(command.pid(), request_.launch->path);
  command.release();
  if (!is_seized) return;
  watch->run(LaunchWatch::Until::Started, [&](LaunchWatch::Stage stage) {
    if (stage == LaunchWatch::Stage::NewCode) functions_->look_at(command.pid());
    else drain_->spare({});
  });
  drain_->spare({});
}

/// The watch ends with the command, or, in its wait for that, by the signal that ends strut.
void Run::finish_launch() {
  if (!launcher_.joinable()) return;
  for (; launching_; ::usleep(kNudgeEvery_us))
    if (outcome_.interrupted_by != 0) ::pthread_kill(launcher_.native_handle(), outcome_.interrupted_by);
  launcher_.join();
}

Result<void> Run::follow_command(HeldCommand& command) {
  TRY_VOID(programs_->mark(command.pid(), WIRE_STARTING));
  living_.add(Tid{raw(command.pid())});
  if (command.is_child()) child_ = command.pid();
  return builder_.expect_command(command.pid(), command.is_child());
}

Result<void> Run::attach_requested() {
  AttachPlan plan = plan_attach(request_.attach, request_.attaches_threads());
  Programs::Seeded seeds = TRY(programs_->seed(plan.ids));
  for (const AskedFor& target : plan.targets) {
    std::vector<wire_seed> threads = seeds_of(target, seeds.followed);
    bool refused = !seeds_of(target, seeds.refused).empty();
    if (threads.empty()) plan.complaints.push_back(refused ? no_memory_for(target.id) : no_process_has(target.id));
    TRY_VOID(builder_.attach(threads));
    if (functions_ && !threads.empty()) {
      Pid pid{static_cast<int32_t>(threads.front().tgid)};
      functions_->follow(pid);
      functions_->look_at(pid);
    }
  }
  if (!builder_.any_left()) {
    std::string last = std::move(plan.complaints.back());
    plan.complaints.pop_back();
    for (const std::string& line : plan.complaints) listener_.say(line);
    return fail({0, std::move(last), {}, {}, {}});
  }
  for (const std::string& line : plan.complaints) listener_.say(line);
  return {};
}

Result<void> Run::follow_all() {
  TRY_VOID(check_may_trace_unnamed());
  Programs::Seeded seeds = TRY(programs_->seed(exempt_processes()));
  for (const std::vector<wire_seed>& process : by_process(std::move(seeds.followed)))
    TRY_VOID(builder_.attach(process));
  if (builder_.idle()) listener_.say("no process fits yet; those to come are waited for");
  return {};
}

Result<void> Run::loop() {
  // The target's calls are made while ours can wait: the ring and the queue are there for that. The thread's own nice
  // value.
  nice_ = ::getpriority(PRIO_PROCESS, 0);
  ::setpriority(PRIO_PROCESS, 0, nice_ + kNicer);
  if (warm_up_) warm_up_->stop();
  int wait_ms = request_.system_wide ? kRelaxedWait_ms : kWait_ms;
  while (!over_ && TRY(any_left())) {
    Drain::Delivery delivery = drain_->next(order_.empty() && !builder_.holds_back() ? kIdle_ms : wait_ms);
    if (delivery.batch) take(delivery.batch);
    bool all_came = delivery.batch && command_alone_ && living_.empty();
    if (leaves_calls_ && !builder_.is_starting()) leave_calls();
    uint64_t complete_before_ns = delivery.complete_before_ns - kWindow_ns;
    TRY_VOID(report_until(all_came ? UINT64_MAX : complete_before_ns));
    uint64_t reported_before_ns = order_.reported_before(complete_before_ns);
    TRY_VOID(builder_.report_held(all_came ? UINT64_MAX : reported_before_ns - kHold_ns));
    if (!delivery.batch) TRY_VOID(settle_losses(reported_before_ns));
    TRY_VOID(flush_when_due(delivery.batch == nullptr));
    TRY_VOID(tend(reported_before_ns));
  }
  return settle_losses(UINT64_MAX);
}

/// The hooks are not needed once the command has been started, or has failed to.
void Run::leave_calls() {
  programs_->leave_calls();
  leaves_calls_ = false;
}

void Run::take(const std::shared_ptr<const Batch>& batch) {
  order_.add(batch);
  if (command_alone_) living_.add(*batch);
}

Result<void> Run::tend(uint64_t reported_before_ns) {
  if (TracerProcess::is_orphaned()) leave_orphaned();
  if (builder_.command_status()) Interruption::command_ended();
  outcome_.interrupted_by = Interruption::caught();
  if (outcome_.interrupted_by != 0 || builder_.limit_reached()) return leave();
  complain();
  TRY_VOID(look_for_heirs_end());
  look_for_hidden_commands_end();
  uint64_t time = monotonic_ns();
  if (request_.sleeping_after_ns != 0 && time - looked_for_sleepers_ns_ > kLookForSleepers_ns) {
    looked_for_sleepers_ns_ = time;
    if (TRY(builder_.look_for_sleepers(reported_before_ns))) drain_->hurry_up();
  }
  if (time - looked_at_ns_ < kLookAgain_ns) return {};
  looked_at_ns_ = time;
  return builder_.look_for_living(reported_before_ns);
}

Result<void> Run::look_for_heirs_end() {
  if (!child_ || !builder_.awaits_heir()) return {};
  siginfo_t end{};
  bool is_known = ::waitid(P_PID, static_cast<id_t>(raw(*child_)), &end, WEXITED | WNOHANG | WNOWAIT) == 0;
  if (is_known && end.si_pid == 0) return {};
  return builder_.report_heirs_end(is_known ? std::optional(wait_status_of(end)) : std::nullopt);
}

/// A command that executed a set-user-ID program is not shown any more, but waited for.
void Run::look_for_hidden_commands_end() {
  if (!child_ || !builder_.hides_command()) return;
  siginfo_t end{};
  bool is_known = ::waitid(P_PID, static_cast<id_t>(raw(*child_)), &end, WEXITED | WNOHANG | WNOWAIT) == 0;
  if (!is_known || end.si_pid != 0) builder_.end_hidden_command(is_known ? wait_status_of(end) : 0);
}

/// If a thread's birth was lost, only the kernel knows of it.
Result<bool> Run::any_left() {
  if (!builder_.any_left()) TRY_VOID(settle_losses(monotonic_ns()));
  return builder_.any_left();
}

/// While records come faster than they are reported, the sink writes when it is full. The first event does not wait.
Result<void> Run::flush_when_due(bool caught_up) {
  uint64_t now_ns = monotonic_ns();
  if (!builder_.has_news() || (!caught_up && now_ns - flushed_ns_ < kFlushEvery_ns)) return {};
  flushed_ns_ = now_ns;
  return builder_.flush();
}

/// The kernel's count says whether there is anything to ask for.
Result<void> Run::settle_losses(uint64_t before_ns) {
  uint64_t lost_now = lost();
  if (lost_now == 0 || (lost_now == lost_before_ && builder_.lost() == lost_now && before_ns != UINT64_MAX)) return {};
  lost_before_ = lost_now;
  for (auto& [tid, loss] : programs_->losses()) TRY_VOID(builder_.settle(tid, loss, before_ns));
  if (before_ns == UINT64_MAX && lost_now > builder_.lost())
    listener_.say(std::to_string(lost_now - builder_.lost()) + " more events lost");
  return {};
}

Result<void> Run::report_until(uint64_t before_ns) {
  while (!builder_.limit_reached() && !Interruption::is_urgent()) {
    auto entry = order_.next(before_ns);
    if (!entry) break;
    TRY_VOID(builder_.report(*entry));
  }
  return {};
}

/// The front process is dead; no output can be written. But threads that take uprobes out are waited for: this
/// process's end would kill them.
void Run::leave_orphaned() {
  finish_launch();
  functions_.reset();
  warm_up_.reset();
  ::_exit(128 + SIGKILL);
}

/// Waits for the next records, and reports them.
Result<void> Run::report_next(int timeout_ms, uint64_t& reported_before_ns) {
  Drain::Delivery delivery = drain_->next(timeout_ms);
  if (delivery.batch) take(delivery.batch);
  TRY_VOID(report_until(delivery.complete_before_ns - kWindow_ns));
  reported_before_ns = order_.reported_before(delivery.complete_before_ns - kWindow_ns);
  return builder_.report_held(reported_before_ns - kHold_ns);
}

/// Reports all events until now; then stops all processes, and checks their further events for births only. A process
/// that cannot be stopped in time (it waits for a disk) stops once it can.
Result<void> Run::stop_targets() {
  uint64_t now_ns = monotonic_ns();
  for (uint64_t reported_before_ns = 0; reported_before_ns < now_ns;)
    TRY_VOID(report_next(kWait_ms, reported_before_ns));
  TRY_VOID(builder_.flush());
  builder_.mute();
  Stopping stopping(*programs_);
  uint64_t reported_before_ns = 0, began_ns = monotonic_ns();  // reporting may have taken long
  do {
    stopping.look(builder_.threads());
    if (stopping.is_done(reported_before_ns)) break;
    TRY_VOID(report_next(kWait_ms, reported_before_ns));
  } while (monotonic_ns() - began_ns < kStopPatience_ns);
  return {};
}

/// A second interruption of strut ends the reporting of queued events.
Result<void> Run::leave_out_rest() {
  std::map<Tid, UnreportedEvents> unreported;
  while (auto entry = order_.next(UINT64_MAX)) {
    if (!wire_is_event(entry->record.header().kind)) continue;
    UnreportedEvents& of_thread = unreported[entry->record.tid()];
    of_thread.pid = entry->record.pid();
    of_thread.count++;
    unreported_++;
  }
  for (const auto& [tid, events] : unreported) TRY_VOID(builder_.leave_out(tid, events));
  if (unreported_ != 0) listener_.say(unreported_text(unreported_));
  return {};
}

/// Reports all events until now, and then detaches all processes.
Result<void> Run::leave() {
  ::setpriority(PRIO_PROCESS, 0, nice_);  // no target waits for a CPU with us any more
  finish_launch();
  if (outcome_.interrupted_by == SIGUSR2) TRY_VOID(stop_targets());
  if (functions_) functions_->give_up();
  programs_->stop();
  if (functions_) functions_->stop();
  uint64_t stopped_ns =
      monotonic_ns();  // before the drain is woken: it may have looked, and sleep again, before we go on
  drain_->finish();
  if (builder_.limit_reached()) listener_.mention("System call limit has been reached, detaching tracees");
  for (bool complete = false; !complete;) {
    Drain::Delivery delivery = drain_->next(kWait_ms);
    if (delivery.batch) order_.add(delivery.batch);
    complete = !delivery.batch && delivery.complete_before_ns > stopped_ns;
  }
  TRY_VOID(report_until(UINT64_MAX));
  TRY_VOID(builder_.report_held(UINT64_MAX));
  if (Interruption::is_urgent()) TRY_VOID(leave_out_rest());
  if (outcome_.interrupted_by != 0) end_command(outcome_.interrupted_by);
  over_ = true;
  return builder_.leave_all();
}

/// Reports functions that could not be traced, as soon as they are known.
void Run::complain() {
  if (!functions_) return;
  for (const std::string& line : functions_->complaints()) listener_.say(line);
}

/// A command that strut launched ends with it, as it would if the signal had come to both from a terminal.
void Run::end_command(int signal) const {
  if (request_.spares_command || !child_ || builder_.command_status()) return;
  ::kill(raw(*child_), SIGCONT);
  ::kill(raw(*child_), signal);
}

/// The command's exit is reported before it is complete: its files and locks are released when it can be waited for.
void Run::take_status() {
  std::optional<int> reported = builder_.command_status();
  if (!child_ || !reported) return;
  outcome_.status = *reported;
  outcome_.command_ended = true;
  for (uint64_t until = monotonic_ns() + kPatience_ns; monotonic_ns() < until; ::usleep(200))
    if (::waitpid(raw(*child_), nullptr, WNOHANG) != 0) return;
}

Result<Outcome> KassistBackend::run(const TraceRequest& request, Sink& sink, Listener& listener) {
  sink.gather();
  Run run(request, transport_, sink, listener, request.stack_frames != 0 ? unwinder_.get() : nullptr);
  Result<Outcome> outcome = run.all();
  TracerProcess::rejoin();
  stats_ = run.stats();
  return outcome;
}

}  // namespace

std::unique_ptr<Backend> make_kassist_backend(Transport transport, std::unique_ptr<Unwinder> unwinder) {
  return std::make_unique<KassistBackend>(std::move(transport), std::move(unwinder));
}

}  // namespace strut
