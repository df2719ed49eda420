#include "kassist/syscalls/kassist_backend.hpp"

#include <atomic>
#include <csignal>
#include <functional>
#include <future>

#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/loader/programs.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/plans/plan_table.hpp"
#include "kassist/plans/usual_plans.hpp"
#include "kassist/syscalls/attach.hpp"
#include "kassist/syscalls/events/event_builder.hpp"
#include "kassist/syscalls/function_run.hpp"
#include "kassist/syscalls/launched_command.hpp"
#include "kassist/syscalls/record_reporting.hpp"
#include "kassist/syscalls/run_tuning.hpp"
#include "kassist/syscalls/stopping.hpp"
#include "kassist/transport/drain.hpp"
#include "kassist/uprobes/system_wide.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "process/caller.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"
#include "trace/held_command.hpp"

namespace strut {

namespace {

constexpr int kWait_ms = 2;          ///< while records wait for their time
constexpr int kRelaxedWait_ms = 10;  ///< in a system-wide trace, where the drain looks at the ring less often
constexpr int kIdle_ms = 50;         ///< and for signals to strut
constexpr int kNicer = 10;
constexpr uint64_t kLookAgain_ns = 1'000'000'000;
constexpr uint64_t kLookForSleepers_ns = 100'000'000;
constexpr uint64_t kStopPatience_ns = 10'000'000'000;  ///< on a busy machine births are reported late

std::string unfollowed_text(uint64_t threads) {
  return std::to_string(threads) + (threads == 1 ? " thread was" : " threads were") +
         " not followed: the kernel had no memory for the mark";
}

/// Said when everything is armed.
std::string watching_text(size_t processes) {
  if (processes == 0) return "watching: no process fits yet; those to come are waited for";
  return "watching " + std::to_string(processes) + (processes == 1 ? " process" : " processes") + ", and those to come";
}

std::string unasked_text(uint64_t times) {
  return "calls may be missing: " + std::to_string(times) + " times there was no room to ask for code to be armed";
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
        command_(builder_),
        reporting_(
            builder_, listener,
            is_command_alone(request) ? RecordReporting::Follows::CommandAlone : RecordReporting::Follows::Others),
        leaves_calls_(!needs_calls(request)) {}

  ~Run() { finish_launch(); }
  Result<Outcome> all();
  BackendStats stats() const {
    return {builder_.events(),
            lost() + reporting_.unreported(),
            builder_.unseen(),
            builder_.threads().late(),
            drain_ ? drain_->holds() : 0,
            startup_ns_,
            unfollowed()};
  }

 private:
  Result<void> begin();
  Result<void> load_programs();
  Result<void> attach_programs();
  Result<void> follow(HeldCommand* command);
  void finish_launch();
  Result<void> attach_requested();
  Result<void> follow_all();
  Result<void> follow_command(HeldCommand& command);
  Result<void> loop();
  void leave_calls();
  Result<void> tend(uint64_t reported_before_ns);
  Result<bool> any_left();
  uint64_t unasked() const { return programs_ ? std::atomic_ref(programs_->control().arming.unasked).load() : 0; }
  uint64_t unfollowed() const { return programs_ ? std::atomic_ref(programs_->control().losses.unfollowed).load() : 0; }
  uint64_t lost() const { return programs_ ? lost_events(*programs_) : 0; }
  [[noreturn]] void leave_orphaned();
  Result<void> leave();
  Result<void> stop_targets();
  void complain();

  const TraceRequest& request_;
  const Transport& transport_;
  Listener& listener_;
  EventBuilder builder_;
  // Before all that has uprobes: no signal ends strut until these are taken out.
  std::optional<Interruption> interruption_;
  std::optional<SignalsHeldBack> held_back_;  ///< while functions are armed for the first time
  std::optional<Programs> programs_;
  std::unique_ptr<Drain> drain_;
  std::unique_ptr<FunctionRun> functions_;  ///< nullptr: no functions are traced
  Outcome outcome_;
  int nice_ = 0;  ///< before it became nicer
  LaunchedCommand command_;
  RecordReporting reporting_;
  bool leaves_calls_;          ///< the hooks of system calls are there only for the command's start
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
  command_.take_status(outcome_);
  if (!outcome_.command_ended) outcome_.left = command_.child();
  return outcome_;
}

Result<void> Run::begin() {
  if (std::optional<Error> obstacle = kassist_obstacle()) return fail(std::move(*obstacle));
  if (std::optional<Error> obstacle = request_.functions ? uprobe_obstacle() : std::nullopt)
    return fail(std::move(*obstacle));
  std::optional<HeldCommand> command;
  if (request_.launch) command.emplace(TRY(HeldCommand::fork(request_, {})));
  if (request_.functions) held_back_.emplace();
  if (request_.functions) functions_ = TRY(FunctionRun::open(request_, transport_));
  TRY_VOID(load_programs());
  TRY_VOID(attach_programs());
  TRY_VOID(follow(command ? &*command : nullptr));
  // After the command was forked, which keeps the signal state that strut was started with.
  interruption_.emplace(request_.interruptible, Waits::Briefly, command ? command->pid() : Pid{});
  held_back_.reset();
  if (!command) return {};
  if (functions_) functions_->launch(std::move(*command));
  else command->release();
  return {};
}

Result<void> Run::load_programs() {
  std::optional<PlanView> usual = usual_plans(request_);
  std::future<PlanTable> computed;
  if (!usual) computed = std::async(std::launch::async, plans_for, std::cref(request_));
  Tuning tuning = TRY(tuning_for(request_, transport_));
  programs_.emplace(TRY(Programs::load(tuning, functions_ ? functions_->types_wanted() : TypesWanted{})));
  TRY_VOID(programs_->install(usual ? *usual : computed.get().view()));
  return functions_ ? functions_->load(tuning, *programs_) : Result<void>{};
}

Result<void> Run::attach_programs() {
  TRY_VOID(programs_->attach());
  auto pace = request_.system_wide ? RingDrain::Pace::Relaxed : RingDrain::Pace::Prompt;
  drain_ = TRY(Drain::start(programs_->ring(), programs_->ring_bytes(), TRY(programs_->lanes()), programs_->control(),
                            transport_.make_brake, pace));
  if (functions_) TRY_VOID(functions_->attach(*drain_));
  if (is_command_alone(request_) && !request_.functions && !request_.need_times) drain_->count_moments();
  return {};
}

Result<void> Run::follow(HeldCommand* command) {
  if (command) TRY_VOID(follow_command(*command));
  if (!request_.attach.empty()) TRY_VOID(attach_requested());
  return request_.system_wide ? follow_all() : Result<void>{};
}

void Run::finish_launch() {
  if (functions_) functions_->finish_launch(outcome_.interrupted_by);
}

Result<void> Run::follow_command(HeldCommand& command) {
  TRY_VOID(programs_->mark(command.pid(), WIRE_STARTING));
  reporting_.begins(Tid{raw(command.pid())});
  if (command.is_child()) command_.is_child(command.pid());
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
    if (functions_ && !threads.empty()) functions_->follow(Pid{static_cast<int32_t>(threads.front().tgid)});
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
  size_t processes = 0;
  for (const std::vector<wire_seed>& process : by_process(std::move(seeds.followed))) {
    TRY_VOID(builder_.attach(process));
    processes++;
  }
  listener_.say(watching_text(processes));
  return {};
}

Result<void> Run::loop() {
  // The target's calls are made while ours can wait: the ring and the queue are there for that. The thread's own nice
  // value.
  nice_ = ::getpriority(PRIO_PROCESS, 0);
  ::setpriority(PRIO_PROCESS, 0, nice_ + kNicer);
  if (functions_) functions_->begun();
  int wait_ms = request_.system_wide ? kRelaxedWait_ms : kWait_ms;
  while (!over_ && TRY(any_left())) {
    Drain::Delivery delivery = drain_->next(reporting_.is_idle() ? kIdle_ms : wait_ms);
    if (leaves_calls_ && !builder_.command().starting) leave_calls();
    uint64_t reported_before_ns = TRY(reporting_.report(delivery));
    if (!delivery.batch) TRY_VOID(reporting_.settle_losses(*programs_, reported_before_ns));
    TRY_VOID(reporting_.flush_when_due(delivery.batch == nullptr));
    TRY_VOID(tend(reported_before_ns));
  }
  return reporting_.settle_losses(*programs_, UINT64_MAX);
}

/// The hooks are not needed once the command has been started, or has failed to.
void Run::leave_calls() {
  programs_->leave_calls();
  leaves_calls_ = false;
}

Result<void> Run::tend(uint64_t reported_before_ns) {
  if (TracerProcess::is_orphaned()) leave_orphaned();
  if (builder_.command().status) Interruption::command_ended();
  outcome_.interrupted_by = Interruption::caught();
  if (outcome_.interrupted_by != 0 || builder_.limit_reached()) return leave();
  complain();
  TRY_VOID(command_.look_for_end());
  uint64_t time = monotonic_ns();
  if (request_.sleeping_after_ns != 0 && time - looked_for_sleepers_ns_ > kLookForSleepers_ns) {
    looked_for_sleepers_ns_ = time;
    if (TRY(builder_.look_for_sleepers(reported_before_ns))) drain_->hurry_up();
  }
  if (time - looked_at_ns_ < kLookAgain_ns) return {};
  looked_at_ns_ = time;
  return builder_.look_for_living(reported_before_ns);
}

/// If a thread's birth was lost, only the kernel knows of it.
Result<bool> Run::any_left() {
  if (!builder_.any_left()) TRY_VOID(reporting_.settle_losses(*programs_, monotonic_ns()));
  return builder_.any_left();
}

/// The front process is dead; no output can be written. But threads that take uprobes out are waited for: this
/// process's end would kill them.
void Run::leave_orphaned() {
  finish_launch();
  functions_.reset();
  ::_exit(128 + SIGKILL);
}

/// Reports all events until now; then stops all processes, and checks their further events for births only. A process
/// that cannot be stopped in time (it waits for a disk) stops once it can.
Result<void> Run::stop_targets() {
  uint64_t now_ns = monotonic_ns();
  while (TRY(reporting_.report(drain_->next(kWait_ms))) < now_ns) {
  }
  TRY_VOID(builder_.flush());
  builder_.mute();
  Stopping stopping(*programs_);
  uint64_t reported_before_ns = 0, began_ns = monotonic_ns();  // reporting may have taken long
  do {
    stopping.look(builder_.threads().ids());
    if (stopping.is_done(reported_before_ns)) break;
    reported_before_ns = TRY(reporting_.report(drain_->next(kWait_ms)));
  } while (monotonic_ns() - began_ns < kStopPatience_ns);
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
    if (delivery.batch) reporting_.add(delivery.batch);
    complete = !delivery.batch && delivery.complete_before_ns > stopped_ns;
  }
  TRY_VOID(reporting_.report_all());
  if (Interruption::is_urgent()) TRY_VOID(reporting_.leave_out_rest());
  if (outcome_.interrupted_by != 0 && !request_.spares_command) command_.end(outcome_.interrupted_by);
  over_ = true;
  return builder_.leave_all();
}

/// Reports functions that could not be traced, as soon as they are known.
void Run::complain() {
  if (!functions_) return;
  for (const std::string& line : functions_->complaints()) listener_.say(line);
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
