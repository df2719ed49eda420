#include "kassist/dtrace/engine.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>

#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "kassist/dtrace/arming.hpp"
#include "kassist/dtrace/engine_parts.hpp"
#include "kassist/dtrace/late_values.hpp"
#include "kassist/dtrace/presence.hpp"
#include "kassist/loader/support.hpp"
#include "kassist/loader/without_signals.hpp"
#include "kassist/uprobes/code_uprobes.hpp"
#include "kassist/uprobes/uprobe_removal.hpp"
#include "process/caller.hpp"
#include "process/interruption.hpp"
#include "process/tracer_process.hpp"

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

Result<void> KassistDEngine::load(const DRunRequest& request) {
  began_ns_ = monotonic_ns();
  if (std::optional<Error> obstacle = kassist_obstacle()) return fail(std::move(*obstacle));
  TRY_VOID(check_may_trace_unnamed());
  allow_many_descriptors();
  request_ = request;
  const DProgram& program = *request.program;
  mechanism_ = TRY(uprobe_mechanism());
  DTuning tuning;
  tuning.ring_bytes = ring_bytes(program);
  tuning.uprobes = mechanism_;
  kernel_.emplace(TRY(DKernelProgram::load(program, tuning)));
  kernel_->control().shut();
  kernel_->control().leave_out(Pid{::getpid()}, TracerProcess::known().pid);
  aggregations_.emplace(program, program.settings.aggsize);
  aggregations_->on_restart([this](uint32_t aggregation) {
    if (auto restarted = kernel_->restart_aggregation(aggregation, *aggregations_); !restarted)
      trouble_ = restarted.error();
  });
  stacks_.emplace(program, std::move(parts_.unwinder));
  has_stacks_ = wants_user_stacks(program);
  keeps_changes_ = has_stacks_ || request.mappings;
  if (request.mappings) stacks_->report_changes();
  reader_ = TRY(DReader::start(*kernel_, program, *stacks_, *aggregations_, [this] { read_changes(); }));
  epoll_ = OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return fail({errno, "epoll_create1", {}, {}, {}});
  targets_.emplace(epoll_.number(), kEnds);
  TRY_VOID(listen_to(reader_->news(), kNews));
  if (keeps_changes_ || request.system_wide) TRY_VOID(watch());
  if (request.system_wide || request.later_programs) TRY_VOID(watch_linkers());
  if (request.system_wide && linkers_) linkers_->watch(std::nullopt);
  return {};
}

/// In programs that cannot wait for a page.
bool KassistDEngine::reads_at_calls() const {
  std::vector<DHook> hooks = kernel_->hooks();
  return reads_memory(*request_.program) && (std::ranges::find(hooks, DHook::SyscallEntry) != hooks.end() ||
                                             std::ranges::find(hooks, DHook::SyscallReturn) != hooks.end());
}

Result<void> KassistDEngine::watch_linkers() {
  linkers_ = TRY(DLinkers::start(*kernel_));
  return linkers_ ? listen_to(linkers_->news(), kLinkers) : Result<void>{};
}

Result<void> KassistDEngine::listen_to(int descriptor, Tag tag) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = tag;
  if (::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event) != 0)
    return fail({errno, "epoll_ctl", {}, {}, {}});
  return {};
}

Result<void> KassistDEngine::add_probes(std::span<const DProbe> probes) {
  TRY_VOID(kernel_->add_probes(probes));
  TRY_VOID(hooks_.attach(*kernel_));
  for (const DProbe& probe : probes) {
    uint32_t number = probes_++;
    if (probe.trigger.kind == DTrigger::Kind::Profile)
      TRY_VOID(hooks_.add_profile(*kernel_, number, probe.trigger.interval_ns));
    if (probe.trigger.kind == DTrigger::Kind::Tracepoint)
      TRY_VOID(hooks_.add_tracepoint(*kernel_, number, probe.trigger.tracepoint));
  }
  return {};
}

Result<std::vector<DRefusal>> KassistDEngine::arm(const DCode& code, const DArmingStep& step) {
  std::vector<uint64_t> cookies = TRY(kernel_->add_code(code));
  if (armed_ == 0)
    if (std::optional<Error> obstacle = uprobe_obstacle()) return fail(std::move(*obstacle));
  std::optional<int> clauses = TRY(kernel_->program(DHook::Uprobe));
  UprobeRequest request = uprobes_for(code, UprobeRequest::When::Executed,
                                      [&](const DSite&, size_t site) { return std::optional(cookies[site]); });
  if (!clauses || request.points.empty()) return refusals_of(code, {});
  if (has_stacks_) report_displacements(code);
  Uprobes& armed = uprobes_[code.pid ? raw(*code.pid) : 0];
  size_t before = armed.armed();
  std::vector<RefusedUprobe> refused = TRY(armed.arm(*clauses, mechanism_, request, step));
  armed_ += armed.armed() - before;
  return refusals_of(code, refused);
}

/// A uprobe of a function's entry may sit some instructions further. A stack taken there is that of the entry.
void KassistDEngine::report_displacements(const DCode& code) {
  for (const DSite& site : code.sites) {
    if (!site.uprobe_offset || *site.uprobe_offset == site.file_offset) continue;
    for (const DFiring& firing : std::span(code.firings).subspan(site.first, site.count))
      if (firing.kind == DFiring::Kind::Entry)
        stacks_->sits_behind(firing.probe, *site.uprobe_offset - site.file_offset);
  }
}

// -- running --------------------------------------------------------------------------------------------

Result<void> KassistDEngine::fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) {
  TRY_VOID(kernel_->fire(probe, arguments));
  reader_->report_before(monotonic_ns(), observer);
  return {};
}

Result<void> KassistDEngine::serve(uint64_t until_ns, DObserver& observer) {
  if (startup_ns_ == 0) startup_ns_ = monotonic_ns() - began_ns_;
  bool had_exited = exit_status().has_value();
  for (;;) {
    if (TracerProcess::is_orphaned()) leave_orphaned();
    look_at_launches(observer);
    answer_linkers(observer);
    reader_->report_what_came(until_ns, observer);
    if (trouble_) return fail(*trouble_);
    if (report_ends(observer)) return {};
    uint64_t now_ns = monotonic_ns();
    if (now_ns - clock_ns_ >= kClockEvery_ns) {
      kernel_->control().adjust_clock();
      clock_ns_ = now_ns;
    }
    bool exits = exit_status().has_value() && !had_exited;
    if (exits || now_ns >= until_ns || Interruption::caught() != 0 ||
        !wait(std::min(until_ns, now_ns + longest_wait_ns())))
      return {};
  }
}

uint64_t KassistDEngine::longest_wait_ns() const {
  if (!fresh_code_.empty()) return kFreshWait_ns;
  return watch_ && request_.later_programs && !request_.system_wide ? kChangesWait_ns : kLongestWait_ns;
}

/// The front process is dead: no output can be written, by END either.
void KassistDEngine::leave_orphaned() {
  launches_.clear();
  disarm_at_once(uprobes_);
  ::_exit(128 + SIGKILL);
}

/// False: a signal came.
bool KassistDEngine::wait(uint64_t until_ns) {
  uint64_t now_ns = monotonic_ns(), rest_ns = until_ns > now_ns ? until_ns - now_ns : 0;
  timespec limit{static_cast<time_t>(rest_ns / 1'000'000'000), static_cast<long>(rest_ns % 1'000'000'000)};
  epoll_event event;
  return ::epoll_pwait2(epoll_.number(), &event, 1, &limit, nullptr) >= 0 || errno != EINTR;
}

Result<void> KassistDEngine::stop(DObserver& observer) {
  launches_.clear();
  kernel_->control().silence();
  // Each waits until no program of its own runs any more, tens of milliseconds: the same ones for both.
  std::thread linkers = without_signals([this] { linkers_.reset(); });
  disarm_at_once(uprobes_);
  linkers.join();
  if (uint64_t unheld = kernel_->control().linkers_unheld(); unheld != 0) observer.unheld(unheld);
  hooks_.detach();
  reader_->report_before(monotonic_ns(), observer);
  for (const d_record& fault : kernel_->take_waiting()) reader_->report_fault(fault, observer);
  read_changes();
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
  counts.armed = armed_;
  counts.startup_ns = startup_ns_;
  return counts;
}

std::unique_ptr<DEngine> make_kassist_d_engine(DKassistParts parts) {
  return std::make_unique<KassistDEngine>(std::move(parts));
}

}  // namespace strut
