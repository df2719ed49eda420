#include "kassist/dtrace/engine.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>

#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/dtrace/engine_parts.hpp"
#include "kassist/dtrace/late_values.hpp"
#include "kassist/dtrace/presence.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/loader/without_signals.hpp"
#include "process/caller.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"

namespace strut {

namespace {

constexpr uint64_t kClockEvery_ns = 1'000'000'000;
constexpr uint64_t kLongestWait_ns = 100'000'000;  ///< a signal may come just before a wait begins
constexpr uint64_t kFreshWait_ns = 5'000'000;
constexpr uint64_t kChangesWait_ns = 10'000'000;  ///< code that a linker maps is asked about, other code is looked for
constexpr uint32_t kSmallestRing = 1 << 20;
constexpr uint32_t kLargestRing = 1 << 30;
constexpr uint32_t kRingOfStacks = 16 << 20;  ///< for records with copies of stacks, at the least

bool wants_user_stacks(const DProgram& program) {
  auto is_user_stack = [](const DShape& shape) { return shape.kind == DShape::Kind::UserStack; };
  auto late = late_values(program);
  return (late && !late->empty()) ||
         std::ranges::any_of(program.actions,
                             [&](const DAction& action) { return std::ranges::any_of(action.items, is_user_stack); }) ||
         std::ranges::any_of(program.aggregations,
                             [&](const DAggregation& one) { return std::ranges::any_of(one.keys, is_user_stack); });
}

uint32_t ring_bytes(const DProgram& program) {
  uint64_t wanted = std::clamp<uint64_t>(program.settings.bufsize, kSmallestRing, kLargestRing);
  if (wants_user_stacks(program)) wanted = std::max<uint64_t>(wanted, kRingOfStacks);
  return static_cast<uint32_t>(std::bit_ceil(wanted));
}

/// A link, an event, a process: each takes one.
void allow_many_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

// -- beginning ------------------------------------------------------------------------------------------

KassistDEngine::~KassistDEngine() {
  if (sites_) sites_->detach_hooks();
}

Result<void> KassistDEngine::load(const DRunRequest& request) {
  began_ns_ = monotonic_ns();
  if (std::optional<Error> obstacle = kassist_obstacle()) return fail(std::move(*obstacle));
  TRY_VOID(check_may_trace_unnamed());
  allow_many_descriptors();
  request_ = request;
  const DProgram& program = *request.program;
  DTuning tuning;
  tuning.ring_bytes = ring_bytes(program);
  tuning.uprobes = TRY(uprobe_mechanism());
  kernel_.emplace(TRY(DKernelProgram::load(program, tuning)));
  kernel_->control().shut();
  kernel_->control().leave_out(Pid{::getpid()}, TracerProcess::known().pid);
  aggregations_.emplace(program, program.settings.aggsize);
  aggregations_->on_restart([this](uint32_t aggregation) {
    if (auto restarted = kernel_->restart_aggregation(aggregation, *aggregations_); !restarted)
      trouble_ = restarted.error();
  });
  return make_parts(*tuning.uprobes);
}

Result<void> KassistDEngine::make_parts(UprobeMechanism mechanism) {
  const DProgram& program = *request_.program;
  bool has_stacks = wants_user_stacks(program), keeps_changes = has_stacks || request_.mappings;
  stacks_.emplace(program, std::move(parts_.unwinder));
  if (request_.mappings) stacks_->report_changes();
  sites_.emplace(*kernel_, mechanism, has_stacks ? &*stacks_ : nullptr);
  watches_.emplace(*kernel_, parts_.hold);
  reader_ = TRY(DReader::start(*kernel_, program, *stacks_, *aggregations_, [this] { news_->read(); }));
  wait_.emplace(TRY(DNewsWait::make()));
  targets_.emplace(*wait_);
  DProcessNews::Parts parts{*kernel_, *targets_, *sites_, *watches_, keeps_changes ? &*stacks_ : nullptr, *wait_};
  news_.emplace(request_, parts);
  TRY_VOID(wait_->listen_to(reader_->news()));
  if (keeps_changes || request_.system_wide) TRY_VOID(news_->watch());
  if (request_.system_wide || request_.later_programs) TRY_VOID(news_->watch_linkers());
  return {};
}

// -- processes ------------------------------------------------------------------------------------------

/// In programs that cannot wait for a page.
bool KassistDEngine::reads_at_calls() const {
  std::vector<DHook> hooks = kernel_->hooks();
  return reads_memory(*request_.program) && (std::ranges::find(hooks, DHook::SyscallEntry) != hooks.end() ||
                                             std::ranges::find(hooks, DHook::SyscallReturn) != hooks.end());
}

Result<void> KassistDEngine::attach(Pid pid, DObserver&) {
  auto status = process_status(leader_of(pid));
  if (!status) return fail({ESRCH, "attach", process_name(pid), {}, {}});
  if (status->kernel_thread) return fail({0, "attach", kernel_thread_refusal(pid), {}, {}});
  if (status->state == 'Z' && status->threads <= 1) return fail({0, "attach", ended_refusal(pid), {}, {}});
  TRY_VOID(check_may_trace(pid));
  TRY_VOID(news_->watch());
  TRY_VOID(targets_->add(pid, DTargets::Parent::Other));
  news_->follow(pid);
  if (wants_user_stacks(*request_.program)) stacks_->attach(pid);
  if (reads_at_calls()) bring_in_modules(pid);
  news_->follow_linkers_of(pid);
  return {};
}

Result<void> KassistDEngine::launch(HeldCommand command, DObserver& observer) {
  Pid pid = command.pid();
  TRY_VOID(news_->watch());
  TRY_VOID(targets_->add(pid, command.is_child() ? DTargets::Parent::Strut : DTargets::Parent::Other));
  news_->follow(pid);
  kernel_->control().wait_for_exec(pid);
  if (!parts_.launch_watch) return command.release(), Result<void>{};
  auto until = request_.later_programs ? LaunchWatch::Until::Ended : LaunchWatch::Until::Started;
  TRY_VOID(launches_.add(parts_.launch_watch(), std::move(command), until, *wait_));
  launches_.wait_for_start(at_step(observer));
  news_->report(observer);
  return {};
}

/// Work while a command stands still.
DLaunches::AtStep KassistDEngine::at_step(DObserver& observer) {
  return [this, &observer](Pid pid, DLaunches::Step step) {
    // The constants of the library that was mapped last are mapped behind its code, at which the process stands still.
    if (reads_at_calls()) bring_in_modules(pid);
    if (step == DLaunches::Step::NewCode) return news_->report_stopped(pid, observer);
    kernel_->control().has_started(pid);
    // The first dlopen(3) may be its next step: its linker is watched by then.
    news_->follow_linkers_of(pid);
  };
}

/// True: one has ended. Its earlier records are reported before.
bool KassistDEngine::report_ends(DObserver& observer) {
  auto ended = targets_->take_ended();
  for (const DTargets::Ended& one : ended) {
    reader_->report_before(one.seen_ns, observer);
    news_->ended(one.pid);
    observer.ended(one.pid, one.status);
  }
  return !ended.empty();
}

Result<void> KassistDEngine::watch(Pid pid, std::span<const DWatch> watches) { return watches_->watch(pid, watches); }

// -- running --------------------------------------------------------------------------------------------

Result<void> KassistDEngine::fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) {
  TRY_VOID(kernel_->fire(probe, arguments));
  reader_->report_before(monotonic_ns(), observer);
  return {};
}

Result<void> KassistDEngine::serve(uint64_t until_ns, DObserver& observer) {
  if (startup_ns_ == 0) startup_ns_ = monotonic_ns() - began_ns_;
  bool had_exited = exit_status().has_value();
  DLaunches::AtStep step = at_step(observer);
  for (;;) {
    if (TracerProcess::is_orphaned()) leave_orphaned();
    launches_.look(step);
    news_->answer_linkers(observer, [&](Tid asker) { launches_.hold(asker, step); });
    reader_->report_what_came(until_ns, observer);
    if (trouble_) return fail(*trouble_);
    if (report_ends(observer)) return {};
    uint64_t now_ns = monotonic_ns();
    adjust_clock(now_ns);
    bool exits = exit_status().has_value() && !had_exited;
    if (exits || now_ns >= until_ns || Interruption::caught() != 0 ||
        !wait_->wait(std::min(until_ns, now_ns + longest_wait_ns())))
      return {};
  }
}

void KassistDEngine::adjust_clock(uint64_t now_ns) {
  if (now_ns - clock_ns_ < kClockEvery_ns) return;
  kernel_->control().adjust_clock();
  clock_ns_ = now_ns;
}

uint64_t KassistDEngine::longest_wait_ns() const {
  if (news_->expects_request()) return kFreshWait_ns;
  bool looks_for_code = news_->is_watching() && request_.later_programs && !request_.system_wide;
  return looks_for_code ? kChangesWait_ns : kLongestWait_ns;
}

/// The front process is dead: no output can be written, by END either.
void KassistDEngine::leave_orphaned() {
  launches_.leave();
  sites_->disarm();
  ::_exit(128 + SIGKILL);
}

Result<void> KassistDEngine::stop(DObserver& observer) {
  launches_.leave();
  kernel_->control().silence();
  // Each waits until no program of its own runs any more, tens of milliseconds: the same ones for both.
  std::thread linkers = without_signals([this] { news_->leave_linkers(); });
  sites_->disarm();
  uint64_t missed_hits = watches_->end();
  linkers.join();
  if (uint64_t unheld = kernel_->control().linkers_unheld(); unheld != 0) observer.unheld(unheld);
  sites_->detach_hooks();
  if (missed_hits != 0) observer.dropped(DDrops::Records, -1, missed_hits);
  reader_->report_before(monotonic_ns(), observer);
  for (const d_record& fault : kernel_->take_waiting()) reader_->report_fault(fault, observer);
  news_->read();
  stacks_->catch_up(UINT64_MAX, observer);
  if (trouble_) return fail(*trouble_);
  return {};
}

DAggregations& KassistDEngine::aggregations() {
  if (auto merged = kernel_->merge_aggregations(*aggregations_); !merged) trouble_ = merged.error();
  return *aggregations_;
}

DEngineCounts KassistDEngine::counts() const {
  DEngineCounts counts;
  if (!kernel_) return counts;
  counts.fired = kernel_->fired();
  counts.dropped = reader_ ? reader_->lost() : 0;
  counts.armed = sites_ ? sites_->armed() : 0;
  counts.startup_ns = startup_ns_;
  return counts;
}

std::unique_ptr<DEngine> make_kassist_d_engine(DKassistParts parts) {
  return std::make_unique<KassistDEngine>(std::move(parts));
}

}  // namespace strut
