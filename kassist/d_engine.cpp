#include "kassist/d_engine.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/clock.hpp"
#include "core/interruption.hpp"
#include "core/proc/process_status.hpp"
#include "core/proc/refusals.hpp"
#include "core/tracer_process.hpp"
#include "kassist/d_arming.hpp"
#include "kassist/d_hooks.hpp"
#include "kassist/d_late_values.hpp"
#include "kassist/d_linkers.hpp"
#include "kassist/d_presence.hpp"
#include "kassist/d_program.hpp"
#include "kassist/d_reader.hpp"
#include "kassist/d_stacks.hpp"
#include "kassist/fresh_code.hpp"
#include "kassist/d_targets.hpp"
#include "kassist/launch_thread.hpp"
#include "kassist/process_watch.hpp"
#include "kassist/support.hpp"
#include "kassist/uprobe_removal.hpp"
#include "kassist/without_signals.hpp"

namespace strut {

namespace {

constexpr uint64_t kClockEvery_ns = 1'000'000'000;
constexpr uint64_t kLongestWait_ns = 100'000'000;  ///< a signal may come just before a wait begins
constexpr uint64_t kFreshWait_ns = 5'000'000;
constexpr uint32_t kSmallestRing = 1 << 20;
constexpr uint32_t kLargestRing = 1 << 30;
constexpr uint32_t kRingOfStacks = 16 << 20;  ///< of records with copies of stacks, at the least

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

class KassistDEngine final : public DEngine {
 public:
  explicit KassistDEngine(DKassistParts parts) : parts_(std::move(parts)) {}
  ~KassistDEngine() override { hooks_.detach(); }
  std::string_view name() const override { return "kassist"; }
  bool sees_everybody() const override { return true; }

  Result<void> load(const DRunRequest& request) override;
  Result<void> add_probes(std::span<const DProbe> probes) override;
  Result<std::vector<DRefusal>> arm(const DCode& code) override;
  Result<void> launch(HeldCommand command, DObserver& observer) override;
  Result<void> attach(Pid pid, DObserver& observer) override;
  Result<void> fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) override;
  Result<void> serve(uint64_t until_ns, DObserver& observer) override;
  std::optional<int32_t> exit_status() const override { return kernel_->exit_status(); }
  Result<void> stop(DObserver& observer) override;
  DAggregations& aggregations() override;
  DEngineCounts counts() const override;

 private:
  enum Tag : uint64_t { kNews, kChanges, kEnds, kLaunches, kLinkers };
  struct Launched {
    Pid pid{};
    std::unique_ptr<LaunchThread> thread;
    bool is_over = false;
  };
  Result<void> listen_to(int descriptor, Tag tag);
  void tell_displacements(const DCode& code);
  Result<void> watch();
  void read_changes();
  void take_changes(DObserver& observer, const std::set<Pid>& standing);
  void answer_linkers(DObserver& observer);
  void hold_command(Tid asker, DObserver& observer);
  bool reads_at_calls() const;
  Result<void> watch_linkers();
  void watch_linkers_of(Pid pid);
  void lose_first_thread(Pid pid);
  bool is_new_file(const ProcessChange& change);
  bool look_at_launch(Launched& launched, LaunchThread::Look look, DObserver& observer);
  void started(Pid pid);
  void look_at_launches(DObserver& observer);
  void stop_at_new_code(Pid pid, DObserver& observer);
  bool tell_ends(DObserver& observer);
  bool wait(uint64_t until_ns);
  [[noreturn]] void leave_orphaned();
  bool is_followed(Pid pid) const { return followed_.contains(raw(pid)); }

  DKassistParts parts_;
  DRunRequest request_;
  UprobeMechanism mechanism_ = UprobeMechanism::Multi;
  std::optional<DKernelProgram> kernel_;
  std::optional<DAggregations> aggregations_;
  std::optional<DStacks> stacks_;  ///< before the reader that uses it
  std::unique_ptr<DReader> reader_;
  std::map<int32_t, Uprobes> uprobes_;  ///< by process; 0: of everybody
  DHooks hooks_;
  uint32_t probes_ = 0;
  uint64_t armed_ = 0;  ///< instructions, since the beginning
  bool has_stacks_ = false;
  bool keeps_changes_ = false;  ///< stacks or names of addresses are wanted

  OwnedFd epoll_;
  std::optional<DTargets> targets_;
  std::unique_ptr<ProcessWatch> watch_;                   ///< nullptr: nobody is followed
  std::unique_ptr<DLinkers> linkers_;                     ///< nullptr: nobody waits for probes in what he maps
  FreshCode fresh_code_;                                  ///< of whom the linker is still to ask
  std::vector<ProcessChange> changes_;                    ///< that were read, and not acted on yet
  std::set<int32_t> followed_;                            ///< processes whose code is told of
  std::set<int32_t> headless_;                            ///< of them, those whose first thread has ended
  using File = std::tuple<uint32_t, uint32_t, uint64_t>;  ///< device and inode
  std::set<File> files_;                                  ///< of everybody, that were told of
  std::map<int32_t, uint64_t> looked_ns_;  ///< of one that stood still: what it had mapped until then is told
  std::optional<Error> trouble_;           ///< of a call that can return none
  uint64_t clock_ns_ = 0;                  ///< when it was adjusted last
  uint64_t began_ns_ = 0, startup_ns_ = 0;
  std::vector<Launched> launches_;  ///< commands that are watched while they start
};

// -- beginning ------------------------------------------------------------------------------------------

Result<void> KassistDEngine::load(const DRunRequest& request) {
  began_ns_ = monotonic_ns();
  if (std::optional<Error> obstacle = kassist_obstacle()) return fail(std::move(*obstacle));
  allow_many_descriptors();
  request_ = request;
  const DProgram& program = *request.program;
  mechanism_ = TRY(uprobe_mechanism());
  DTuning tuning;
  tuning.ring_bytes = ring_bytes(program);
  tuning.uprobes = mechanism_;
  kernel_.emplace(TRY(DKernelProgram::load(program, tuning)));
  kernel_->leave_out(Pid{::getpid()}, TracerProcess::known().pid);
  aggregations_.emplace(program, program.settings.aggsize);
  aggregations_->on_restart([this](uint32_t aggregation) {
    if (auto restarted = kernel_->restart_aggregation(aggregation, *aggregations_); !restarted)
      trouble_ = restarted.error();
  });
  stacks_.emplace(program, std::move(parts_.unwinder));
  has_stacks_ = wants_user_stacks(program);
  keeps_changes_ = has_stacks_ || request.mappings;
  if (request.mappings) stacks_->tell_changes();
  reader_ = TRY(DReader::start(*kernel_, program, *stacks_, *aggregations_, [this] { read_changes(); }));
  epoll_ = OwnedFd(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll_) return fail({errno, "epoll_create1", {}, {}, {}});
  targets_.emplace(epoll_.number(), kEnds);
  TRY_VOID(listen_to(reader_->news(), kNews));
  if (keeps_changes_ || request.everybody) TRY_VOID(watch());
  if (request.everybody || request.later_programs) TRY_VOID(watch_linkers());
  if (request.everybody && linkers_) linkers_->watch(std::nullopt);
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
  }
  return {};
}

/// One link for all of a file's sites, whatever their number. 300,000 sites of a process that had mapped the file,
/// on 6.18 with two busy CPUs: armed in 1.1 s, disarmed in 1.1 s (1.4 us of CPU time and 3.6 us each); before anybody
/// maps it half of that, and the mapping pays. Links of 100 sites are armed as fast, and disarmed in 47 ms each.
Result<std::vector<DRefusal>> KassistDEngine::arm(const DCode& code) {
  std::vector<uint64_t> cookies = TRY(kernel_->add_code(code));
  if (armed_ == 0)
    if (std::optional<Error> obstacle = uprobe_obstacle()) return fail(std::move(*obstacle));
  std::optional<int> clauses = TRY(kernel_->program(DHook::Uprobe));
  UprobeRequest request{code.path, points_of(code, cookies), UprobeRequest::When::Executed, code.pid};
  if (!clauses || request.points.empty()) return refusals_of(code, {});
  if (has_stacks_) tell_displacements(code);
  Uprobes& armed = uprobes_[code.pid ? raw(*code.pid) : 0];
  std::vector<RefusedUprobe> refused = TRY(armed.arm(*clauses, mechanism_, request));
  armed_ += request.points.size() - refused.size();
  return refusals_of(code, refused);
}

/// A uprobe of a function's entry may sit some instructions further. A stack taken there is that of the entry.
void KassistDEngine::tell_displacements(const DCode& code) {
  for (const DSite& site : code.sites) {
    if (!site.uprobe_offset || *site.uprobe_offset == site.file_offset) continue;
    for (const DFiring& firing : std::span(code.firings).subspan(site.first, site.count))
      if (firing.kind == DFiring::Kind::Entry)
        stacks_->sits_behind(firing.probe, *site.uprobe_offset - site.file_offset);
  }
}

// -- targets --------------------------------------------------------------------------------------------

Result<void> KassistDEngine::watch() {
  if (watch_) return {};
  watch_ = TRY(ProcessWatch::start());
  return listen_to(watch_->news(), kChanges);
}

Result<void> KassistDEngine::attach(Pid pid, DObserver&) {
  auto status = process_status(leader_of(pid));
  if (!status) return fail({ESRCH, "attach", process_name(pid), {}, {}});
  if (status->kernel_thread) return fail({0, "attach", kernel_thread_refusal(pid), {}, {}});
  if (status->state == 'Z' && status->threads <= 1) return fail({0, "attach", ended_refusal(pid), {}, {}});
  TRY_VOID(watch());
  TRY_VOID(targets_->add(pid, DTargets::Whose::Others));
  followed_.insert(raw(pid));
  if (has_stacks_) stacks_->attach(pid);
  if (reads_at_calls()) bring_in_modules(pid);
  if (request_.later_programs && !request_.everybody) watch_linkers_of(pid);
  return {};
}

/// Its own may be another than the machine's, in a container.
void KassistDEngine::watch_linkers_of(Pid pid) {
  if (!linkers_) return;
  linkers_->watch(pid);
  auto mappings = maps_of(pid);
  for (const Mapping& mapping : mappings ? *mappings : std::vector<Mapping>{}) linkers_->mapped(pid, pid, mapping);
}

Result<void> KassistDEngine::launch(HeldCommand command, DObserver& observer) {
  Pid pid = command.pid();
  TRY_VOID(watch());
  TRY_VOID(targets_->add(pid, command.is_child() ? DTargets::Whose::Ours : DTargets::Whose::Others));
  followed_.insert(raw(pid));
  kernel_->wait_for_exec(pid);
  if (!parts_.launch_watch) return command.release(), Result<void>{};
  auto until = request_.later_programs ? LaunchWatch::Until::Ended : LaunchWatch::Until::Started;
  auto thread = TRY(LaunchThread::start(parts_.launch_watch(), std::move(command), until));
  TRY_VOID(listen_to(thread->news(), kLaunches));
  launches_.push_back({pid, std::move(thread)});
  while (Interruption::caught() == 0 && !look_at_launch(launches_.back(), LaunchThread::Look::Wait, observer)) {
  }
  take_changes(observer, {});
  return {};
}

/// True: its program runs, or it is not watched any more.
bool KassistDEngine::look_at_launch(Launched& launched, LaunchThread::Look look, DObserver& observer) {
  switch (launched.thread->next(look)) {
    case LaunchThread::Seen::NewCode:
      stop_at_new_code(launched.pid, observer);
      launched.thread->answer();
      return false;
    case LaunchThread::Seen::Nothing: return false;
    case LaunchThread::Seen::Over: launched.is_over = true; return true;
    case LaunchThread::Seen::Started:  // its first dlopen(3) may be the next that it does: its linker is watched by
                                       // then
      started(launched.pid);
      launched.thread->answer();
      return true;
  }
  return false;
}

void KassistDEngine::started(Pid pid) {
  // The constants of the library that was mapped last were mapped behind its code, at which the process stood still.
  if (reads_at_calls()) bring_in_modules(pid);
  kernel_->has_started(pid);
  if (request_.later_programs && !request_.everybody) watch_linkers_of(pid);
}

void KassistDEngine::look_at_launches(DObserver& observer) {
  for (Launched& launched : launches_) look_at_launch(launched, LaunchThread::Look::AtOnce, observer);
  std::erase_if(launches_, [](const Launched& launched) { return launched.is_over; });
}

/// The process stands still.
void KassistDEngine::stop_at_new_code(Pid pid, DObserver& observer) {
  looked_ns_[raw(pid)] = monotonic_ns();
  if (reads_at_calls()) bring_in_modules(pid);
  take_changes(observer, {pid});
  observer.code_changed(pid);
}

/// For records that are told next; what there is to arm has to wait until they are.
void KassistDEngine::read_changes() {
  if (!watch_) return;
  for (ProcessChange& change : watch_->read()) {
    if (keeps_changes_) stacks_->take(change);
    changes_.push_back(std::move(change));
  }
}

/// What a linker had mapped when it asked is among the changes that are there by now.
void KassistDEngine::answer_linkers(DObserver& observer) {
  if (!linkers_) return take_changes(observer, {});
  uint64_t asked = linkers_->asked();
  std::set<Pid> standing;
  for (const d_linker_question& question : linkers_->questions()) {
    hold_command(Tid{static_cast<int32_t>(question.thread)}, observer);
    standing.insert(Pid{static_cast<int32_t>(question.process)});
  }
  take_changes(observer, standing);
  linkers_->answer(asked);
}

/// Who waits in a program takes a CPU, and locks that arming wants: a command that is watched anyway stands still
/// instead.
void KassistDEngine::hold_command(Tid asker, DObserver& observer) {
  auto launched = std::ranges::find(launches_, raw(asker), [](const Launched& one) { return raw(one.pid); });
  if (launched == launches_.end()) return;
  launched->thread->hold();
  look_at_launch(*launched, LaunchThread::Look::AtOnce, observer);
}

/// Who maps several files at once is told of once.
void KassistDEngine::take_changes(DObserver& observer, const std::set<Pid>& standing) {
  read_changes();
  std::set<Pid> changed;
  for (const ProcessChange& change : std::exchange(changes_, {})) {
    using Kind = ProcessChange::Kind;
    bool is_code = change.kind == Kind::Executed || (change.kind == Kind::Mapped && change.mapping.inode != 0);
    if (change.kind == Kind::Lost)
      for (int32_t pid : followed_) changed.insert(Pid{pid});
    auto looked = looked_ns_.find(raw(change.pid));
    bool is_news = looked == looked_ns_.end() || looked->second < change.at_ns;
    bool may_be_linker = linkers_ && change.kind == Kind::Mapped && (request_.everybody || is_followed(change.pid));
    if (may_be_linker)
      linkers_->mapped(request_.everybody ? std::nullopt : std::optional(change.pid), change.pid, change.mapping);
    if (is_code && is_news && (is_followed(change.pid) || is_new_file(change))) {
      if (linkers_ && change.kind == Kind::Mapped) fresh_code_.mapped(change.pid, monotonic_ns());
      else changed.insert(change.pid);
    }
    if (change.kind == Kind::Forked) headless_.erase(raw(change.pid));
    if (change.kind == Kind::Exited && raw(change.tid) == raw(change.pid)) lose_first_thread(change.pid);
    if (change.kind == Kind::Executed && headless_.erase(raw(change.pid)) != 0) {
      uprobes_.erase(raw(change.pid));
      if (linkers_ && !request_.everybody) linkers_->forget(change.pid), watch_linkers_of(change.pid);
      observer.disarmed(change.pid);
    }
  }
  changed.merge(fresh_code_.ripe(standing, monotonic_ns()));
  for (Pid pid : changed) observer.code_changed(pid);
}

/// A uprobe's link is to the thread that was first when it was armed. If another one executes a program it takes the
/// number over: the link is to nobody, and nothing of it is inserted into the new program (but it would run where
/// others are).
void KassistDEngine::lose_first_thread(Pid pid) {
  if (!is_followed(pid)) return;
  if (targets_->has(pid)) headless_.insert(raw(pid));
  else followed_.erase(raw(pid));
}

/// Of processes that are not followed: a file is told of once, when somebody who has mapped it still lives.
bool KassistDEngine::is_new_file(const ProcessChange& change) {
  if (!request_.everybody || change.kind != ProcessChange::Kind::Mapped) return false;
  File file{change.mapping.device_major, change.mapping.device_minor, change.mapping.inode};
  return !files_.contains(file) && ::kill(raw(change.pid), 0) == 0 && files_.insert(file).second;
}

/// True: one has ended. What it did before is told before.
bool KassistDEngine::tell_ends(DObserver& observer) {
  auto ended = targets_->take_ended();
  for (const DTargets::Ended& one : ended) {
    reader_->tell_before(one.seen_ns, observer);
    followed_.erase(raw(one.pid));
    observer.ended(one.pid, one.status);
  }
  return !ended.empty();
}

// -- running --------------------------------------------------------------------------------------------

Result<void> KassistDEngine::fire(uint32_t probe, std::span<const uint64_t> arguments, DObserver& observer) {
  TRY_VOID(kernel_->fire(probe, arguments));
  reader_->tell_before(monotonic_ns(), observer);
  return {};
}

Result<void> KassistDEngine::serve(uint64_t until_ns, DObserver& observer) {
  if (startup_ns_ == 0) startup_ns_ = monotonic_ns() - began_ns_;
  bool had_exited = exit_status().has_value();
  for (;;) {
    if (TracerProcess::is_orphaned()) leave_orphaned();
    look_at_launches(observer);
    answer_linkers(observer);
    reader_->tell_what_came(until_ns, observer);
    if (trouble_) return fail(*trouble_);
    if (tell_ends(observer)) return {};
    uint64_t now_ns = monotonic_ns();
    if (now_ns - clock_ns_ >= kClockEvery_ns) {
      kernel_->adjust_clock();
      clock_ns_ = now_ns;
    }
    bool exits = exit_status().has_value() && !had_exited;
    if (exits || now_ns >= until_ns || Interruption::caught() != 0 ||
        !wait(std::min(until_ns, now_ns + (fresh_code_.empty() ? kLongestWait_ns : kFreshWait_ns))))
      return {};
  }
}

/// Nobody is there any more who could be told something, by END either.
void KassistDEngine::leave_orphaned() {
  launches_.clear();
  uprobes_.clear();
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
  kernel_->silence();
  // Each waits until no program of its own runs any more, tens of milliseconds: the same ones for both.
  std::thread linkers = without_signals([this] { linkers_.reset(); });
  uprobes_.clear();
  linkers.join();
  if (uint64_t unheld = kernel_->linkers_unheld(); unheld != 0) observer.unheld(unheld);
  hooks_.detach();
  reader_->tell_before(monotonic_ns(), observer);
  for (const d_record& fault : kernel_->take_waiting()) reader_->tell_fault(fault, observer);
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

}  // namespace

std::unique_ptr<DEngine> make_kassist_d_engine(DKassistParts parts) {
  return std::make_unique<KassistDEngine>(std::move(parts));
}

}  // namespace strut
