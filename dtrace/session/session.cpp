#include "dtrace/session/session.hpp"

#include <algorithm>
#include <utility>

#include "base/clock.hpp"
#include "dtrace/providers/provider.hpp"
#include "dtrace/session/session_text.hpp"
#include "procfs/exited.hpp"

namespace strut {
namespace {

constexpr int kFailed = 1;  // exit status: the output, or what was to be watched
/// The longest time before output is written, and before a signal is noticed.
constexpr uint64_t kServe_ns = 50'000'000;
/// User memory has no mapping below (vm.mmap_min_addr, 65,536 wherever it is set) or above.
constexpr uint64_t kLowestMapped = 1 << 16, kEndOfUserSpace = uint64_t{1} << 47;

}  // namespace

DSession::DSession(DSessionRequest request, Enabling& enabling, DEngine& engine, DConsumer& consumer)
    : request_(std::move(request)),
      enabling_(enabling),
      engine_(engine),
      consumer_(consumer),
      probes_(engine),
      output_(*request_.program, request_.escape_controls, probes_, engine, consumer, enabling.modules()),
      records_(*request_.program, engine, output_),
      arming_(enabling, engine, consumer, probes_, request_.permits),
      has_commands_(!request_.commands.empty()) {}

Result<int> DSession::run() {
  TRY_VOID(begin());
  while (!is_over()) TRY_VOID(serve());
  TRY_VOID(finish());
  if (output_.has_failed() || arming_.has_failed()) return kFailed;
  return output_.exit_status().value_or(engine_status_);
}

// -- beginning -----------------------------------------------------------------------------------

Result<void> DSession::load() {
  DRunRequest run;
  run.program = request_.program;
  run.self = request_.self;
  run.system_wide = enabling_.is_system_wide();
  run.later_programs = !enabling_.processes().empty();
  run.mappings = output_.names_addresses();
  TRY_VOID(engine_.load(run));
  if (output_.names_addresses() && engine_.sees_all()) remember_all();
  output_.begin();
  return {};
}

/// BEGIN fires before anything else does. Its text appears when everything is armed: a reader may continue then.
Result<void> DSession::begin() {
  TRY_VOID(load());
  std::vector<DProbe> own, others;
  for (const DProbe& probe : enabling_.fixed())
    (probe.trigger.kind == DTrigger::Kind::Fired ? own : others).push_back(probe);
  TRY_VOID(probes_.add_own(std::move(own)));
  TRY_VOID(fire_all("BEGIN"));
  if (is_over()) return {};
  TRY_VOID(probes_.add(std::move(others)));
  TRY_VOID(watch_targets());
  arming_.report_refusals();
  timers_.start(probes_, monotonic_ns());
  output_.flush();
  return {};
}

/// Remembers processes that may exit before their addresses are named.
void DSession::remember_all() {
  output_.symbolizer().will_be_reported();
  bool is_others = enabling_.is_system_wide() || std::ranges::any_of(enabling_.fixed(), [](const DProbe& probe) {
                     return probe.trigger.kind != DTrigger::Kind::Fired;
                   });
  if (is_others) output_.symbolizer().remember_all();
}

Result<void> DSession::watch_targets() {
  for (Pid pid : request_.attach) living_.push_back(pid);
  for (const HeldCommand& command : request_.commands) living_.push_back(command.pid());
  has_targets_ = !living_.empty();
  std::vector<Pid> attached = request_.attach;
  for (Pid pid : enabling_.processes())
    if (std::ranges::find(living_, pid) == living_.end()) attached.push_back(pid);
  engine_.prepare_attach(attached);
  for (Pid pid : attached) TRY_VOID(attach(pid));
  TRY_VOID(arming_.arm_all_found(attached));
  if (consumer_.is_interrupted()) return {};
  engine_.open();
  for (HeldCommand& command : request_.commands) TRY_VOID(engine_.launch(std::move(command), *this));
  request_.commands.clear();
  return {};
}

/// A process that was there when its code was looked at may have exited since: that is its end, and not an error.
Result<void> DSession::attach(Pid pid) {
  auto attached = engine_.attach(pid, *this);
  if (!attached) {
    if (!enabling_.has_looked_at(pid) || !has_exited(pid)) return attached;
    ended(pid, -1);
    return {};
  }
  if (output_.names_addresses()) output_.symbolizer().remember(pid);
  return {};
}

// -- while it runs -------------------------------------------------------------------------------

bool DSession::is_over() const {
  return (output_.has_failed() && !has_commands_) || records_.is_full() || output_.exit_status() ||
         engine_.exit_status() || consumer_.is_interrupted() || (has_targets_ && living_.empty());
}

Result<void> DSession::serve() {
  TRY_VOID(engine_.serve(timers_.next_ns(monotonic_ns() + kServe_ns), *this));
  TRY_VOID(settle());
  uint64_t now_ns = monotonic_ns();
  while (!engine_.exit_status()) {
    auto due = timers_.take_due(now_ns);
    if (!due) break;
    TRY_VOID(fire(*due));
  }
  output_.flush();
  output_.report_drops(drops_.due(monotonic_ns()));
  return {};
}

Result<void> DSession::fire(uint32_t probe) {
  TRY_VOID(engine_.fire(probe, {}, *this));
  return settle();
}

/// The session's part of events that the engine has reported: faults fire ERROR, numbers of ended speculations are
/// free.
Result<void> DSession::settle() {
  TRY_VOID(fire_errors());
  if (uint64_t drops = records_.free_speculations()) dropped(DDrops::Speculative, -1, drops);
  return {};
}

Result<void> DSession::fire_all(std::string_view name) {
  for (uint32_t probe : probes_.named(name)) TRY_VOID(fire(probe));
  return {};
}

/// DTrace Guide, "ERROR": arg1 is the number of the enabled probe, arg2 of the action, arg3 where in its code, arg4 the
/// kind of fault, arg5 the address. A fault in an ERROR clause fires nothing.
Result<void> DSession::fire_errors() {
  auto faults = std::exchange(faults_, {});
  for (const DFaulted& fault : faults) {
    uint64_t arguments[] = {0,          probes_.first_epid(fault.probe),    fault.statement,
                            fault.code, static_cast<uint64_t>(fault.fault), fault.address};
    for (uint32_t probe : probes_.named("ERROR")) TRY_VOID(engine_.fire(probe, arguments, *this));
  }
  return {};
}

// -- the end -------------------------------------------------------------------------------------

/// DTrace prints a newline when a signal ends it, so that rows begin below the terminal's "^C", and one after the last
/// row, before the aggregations; programs with -q too.
Result<void> DSession::finish() {
  if (consumer_.is_interrupted()) output_.end_line();
  TRY_VOID(engine_.stop(*this));
  TRY_VOID(settle());
  engine_status_ = engine_.exit_status().value_or(0);
  TRY_VOID(fire_all("END"));
  records_.print_held();
  output_.end_line();
  output_.report_rest();
  output_.flush();
  output_.report_drops(drops_.rest());
  return {};
}

// -- events of the engine ------------------------------------------------------------------------

/// Programs in the kernel that cannot wait, all but those at code, cannot bring in a page that the process has not
/// touched yet.
bool DSession::may_be_absent(const DFaulted& faulted) const {
  DTrigger::Kind kind = probes_[faulted.probe].trigger.kind;
  bool can_wait = !engine_.sees_all() || kind == DTrigger::Kind::Code || kind == DTrigger::Kind::Fired;
  return !can_wait && faulted.fault == DFault::BadAddress && faulted.address >= kLowestMapped &&
         faulted.address < kEndOfUserSpace;
}

void DSession::faulted(const DFaulted& faulted) {
  output_.flush();
  const DProbe& probe = probes_[faulted.probe];
  if (probe.provider == "dtrace" && probe.name == "ERROR") return drops_.add(DDrops::DoubleError, -1, 1);
  output_.complain(fault_text(faulted, probes_.first_epid(faulted.probe), probe, may_be_absent(faulted)));
  faults_.push_back(faulted);
}

void DSession::dropped(DDrops what, int cpu, uint64_t count) {
  dropped_ += count;
  if (what != DDrops::Records) return drops_.add(what, cpu, count);
  output_.report_drops({{what, cpu, count}});  // where rows are missing
}

void DSession::unheld(uint64_t count) { output_.complain(unheld_text(count)); }

void DSession::code_changed(Pid pid) {
  if (output_.names_addresses()) output_.symbolizer().remember(pid);
  arming_.arm_new_code(pid);
}

void DSession::ended(Pid pid, int status) {
  if (std::erase(living_, pid) == 0) return;
  output_.mention(ended_text(pid, status));
}

}  // namespace strut
