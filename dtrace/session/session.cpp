#include "dtrace/session/session.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "dtrace/providers/provider.hpp"
#include "dtrace/session/session_text.hpp"

namespace strut {
namespace {

constexpr int kOutputFailed = 1;  // exit status
/// The longest time before output is written, and before a signal is noticed.
constexpr uint64_t kServe_ns = 50'000'000;
/// User memory has no mapping below (vm.mmap_min_addr, 65,536 wherever it is set) or above.
constexpr uint64_t kLowestMapped = 1 << 16, kEndOfUserSpace = uint64_t{1} << 47;

DTextStyle style_of(const DSettings& settings, bool escape_controls) {
  DTextStyle style;
  style.quiet = settings.quiet;
  style.raw_bytes = settings.rawbytes;
  style.escape_controls = escape_controls;
  style.stack_indent = static_cast<uint32_t>(settings.stackindent);
  style.order = {settings.aggsortkey, settings.aggsortrev, static_cast<uint32_t>(settings.aggsortkeypos)};
  style.sort_position = static_cast<uint32_t>(settings.aggsortpos);
  return style;
}

bool is_about_aggregations(const DAction& action) {
  switch (action.kind) {
    case DAction::Kind::Printa:
    case DAction::Kind::Clear:
    case DAction::Kind::Trunc:
    case DAction::Kind::Normalize:
    case DAction::Kind::Denormalize: return true;
    default: return false;
  }
}

bool names_user_addresses(const DProgram& program) {
  auto is_user = [](const DShape& shape) {
    return shape.kind == DShape::Kind::UserStack || (shape.is_address() && !shape.is_kernel_address());
  };
  return std::ranges::any_of(program.actions,
                             [&](const DAction& action) { return std::ranges::any_of(action.items, is_user); }) ||
         std::ranges::any_of(program.aggregations,
                             [&](const DAggregation& a) { return std::ranges::any_of(a.keys, is_user); });
}

}  // namespace

DSession::DSession(DSessionRequest request, Enabling& enabling, DEngine& engine, DConsumer& consumer)
    : request_(std::move(request)),
      program_(*request_.program),
      enabling_(enabling),
      engine_(engine),
      consumer_(consumer),
      settings_(program_.settings),
      style_(style_of(settings_, request_.escape_controls)),
      symbolizer_(enabling.modules()),
      speculations_(program_, settings_.specsize),
      held_(program_),
      reads_aggregations_(program_.clauses.size()),
      names_addresses_(names_user_addresses(program_)),
      has_commands_(!request_.commands.empty()) {
  for (const DAction& action : program_.actions)
    if (is_about_aggregations(action)) reads_aggregations_[action.clause] = true;
}

DSession::~DSession() = default;

Result<int> DSession::run() {
  TRY_VOID(begin());
  while (!is_over()) TRY_VOID(serve());
  TRY_VOID(finish());
  if (output_failed_) return kOutputFailed;
  return exit_status_.value_or(0);
}

// -- beginning -----------------------------------------------------------------------------------

/// BEGIN fires before anything else does. Its text appears when everything is armed: a reader may continue then.
Result<void> DSession::begin() {
  DRunRequest run;
  run.program = &program_;
  run.self = request_.self;
  run.system_wide = enabling_.is_system_wide();
  run.later_programs = !enabling_.processes().empty();
  run.mappings = names_addresses_;
  TRY_VOID(engine_.load(run));
  if (names_addresses_ && engine_.sees_all()) remember_all();
  formatter_.emplace(program_, engine_.aggregations(), static_cast<DSymbolizer&>(*this), static_cast<DConsole&>(*this),
                     style_);
  std::vector<DProbe> own, others;
  for (const DProbe& probe : enabling_.fixed())
    (probe.trigger.kind == DTrigger::Kind::Fired ? own : others).push_back(probe);
  own_ = static_cast<uint32_t>(own.size());
  TRY_VOID(make_known(std::move(own)));
  TRY_VOID(fire_all("BEGIN"));
  if (is_over()) return {};
  TRY_VOID(make_known(std::move(others)));
  TRY_VOID(watch_targets());
  say_refusals();
  start_timers();
  flush();
  return {};
}

/// Remembers processes that may exit before their addresses are named.
void DSession::remember_all() {
  symbolizer_.will_be_reported();
  bool is_others = enabling_.is_system_wide() || std::ranges::any_of(enabling_.fixed(), [](const DProbe& probe) {
                     return probe.trigger.kind != DTrigger::Kind::Fired;
                   });
  if (is_others) symbolizer_.remember_all();
}

void DSession::start_timers() {
  uint64_t now_ns = monotonic_ns();
  for (uint32_t i = 0; i < own_; i++)
    if (probes_[i]->trigger.interval_ns != 0)
      timers_.push_back({i, probes_[i]->trigger.interval_ns, now_ns + probes_[i]->trigger.interval_ns});
}

// -- while it runs -------------------------------------------------------------------------------

bool DSession::is_over() const {
  return (output_failed_ && !has_commands_) || held_.are_enough() || exit_status_ || engine_.exit_status() ||
         consumer_.is_interrupted() || (has_targets_ && living_.empty());
}

uint64_t DSession::next_deadline(uint64_t now_ns) const {
  uint64_t next_ns = now_ns + kServe_ns;
  for (const Timer& timer : timers_) next_ns = std::min(next_ns, timer.next_ns);
  return next_ns;
}

Result<void> DSession::serve() {
  TRY_VOID(engine_.serve(next_deadline(monotonic_ns()), *this));
  TRY_VOID(settle());
  TRY_VOID(fire_due_timers(monotonic_ns()));
  flush();
  say_drops(drops_.due(monotonic_ns()));
  return {};
}

/// The earliest first. A late timer fires as often as it should have, at least until exit() is called.
Result<void> DSession::fire_due_timers(uint64_t now_ns) {
  while (!timers_.empty() && !engine_.exit_status()) {
    Timer& next = *std::ranges::min_element(timers_, {}, &Timer::next_ns);
    if (next.next_ns > now_ns) break;
    next.next_ns += next.interval_ns;
    TRY_VOID(fire(next.probe));
  }
  return {};
}

Result<void> DSession::fire(uint32_t probe, std::span<const uint64_t> arguments) {
  TRY_VOID(engine_.fire(probe, arguments, *this));
  return settle();
}

/// The session's part of events that the engine has reported: faults fire ERROR, numbers of ended speculations are
/// free.
Result<void> DSession::settle() {
  TRY_VOID(fire_errors());
  free_speculations();
  return {};
}

Result<void> DSession::fire_all(std::string_view name) {
  for (uint32_t probe : named(name)) TRY_VOID(fire(probe));
  return {};
}

/// The one probe of the provider dtrace of this name, if it is enabled.
std::vector<uint32_t> DSession::named(std::string_view name) const {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < own_; i++)
    if (probes_[i]->provider == "dtrace" && probes_[i]->name == name) found.push_back(i);
  return found;
}

/// DTrace Guide, "ERROR": arg1 is the number of the enabled probe, arg2 of the action, arg3 where in its code, arg4 the
/// kind of fault, arg5 the address. A fault in an ERROR clause fires nothing.
Result<void> DSession::fire_errors() {
  auto faults = std::exchange(faults_, {});
  for (const DFaulted& fault : faults) {
    uint64_t arguments[] = {0,          first_epid_[fault.probe],           fault.statement,
                            fault.code, static_cast<uint64_t>(fault.fault), fault.address};
    for (uint32_t probe : named("ERROR")) TRY_VOID(engine_.fire(probe, arguments, *this));
  }
  return {};
}

// -- the end -------------------------------------------------------------------------------------

/// DTrace prints a newline when a signal ends it, so that rows begin below the terminal's "^C", and one after the last
/// row, before the aggregations; programs with -q too.
Result<void> DSession::finish() {
  if (consumer_.is_interrupted()) out_ += '\n';
  TRY_VOID(engine_.stop(*this));
  TRY_VOID(settle());
  if (auto status = engine_.exit_status(); status && !exit_status_) exit_status_ = *status;
  TRY_VOID(fire_all("END"));
  for (const KeptRecord& kept : held_.take()) print(kept.record());
  out_ += '\n';
  engine_.aggregations();
  formatter_->report_rest(out_);
  flush();
  say_drops(drops_.rest());
  return {};
}

void DSession::flush() {
  if (out_.empty()) return;
  write(out_);
  out_.clear();
}

// -- events of the engine ------------------------------------------------------------------------

/// Programs in the kernel that cannot wait, all but those at code, cannot bring in a page that the process has not
/// touched yet.
bool DSession::may_be_absent(const DFaulted& faulted) const {
  DTrigger::Kind kind = probes_[faulted.probe]->trigger.kind;
  bool can_wait = !engine_.sees_all() || kind == DTrigger::Kind::Code || kind == DTrigger::Kind::Fired;
  return !can_wait && faulted.fault == DFault::BadAddress && faulted.address >= kLowestMapped &&
         faulted.address < kEndOfUserSpace;
}

std::string DSession::call_argument(std::string_view recorded) {
  if (reported_ == nullptr || reported_->trigger.calls.empty()) return {};
  return consumer_.call_argument(reported_->trigger.calls[0], reported_in_, recorded);
}

void DSession::faulted(const DFaulted& faulted) {
  flush();
  const DProbe& probe = *probes_[faulted.probe];
  if (probe.provider == "dtrace" && probe.name == "ERROR") return drops_.add(DDrops::DoubleError, -1, 1);
  consumer_.complain(fault_text(faulted, first_epid_[faulted.probe], probe, may_be_absent(faulted)));
  faults_.push_back(faulted);
}

void DSession::dropped(DDrops what, int cpu, uint64_t count) {
  counts_.dropped += count;
  if (what != DDrops::Records) return drops_.add(what, cpu, count);
  flush();  // where rows are missing
  say_drops({{what, cpu, count}});
}

void DSession::say_drops(const std::vector<DropTally::Dropped>& drops) {
  for (const DropTally::Dropped& some : drops)
    consumer_.complain(drops_text(some.what, some.cpu, some.count, settings_.droptags));
}

void DSession::unheld(uint64_t count) {
  flush();
  consumer_.complain(unheld_text(count));
}

void DSession::ended(Pid pid, int status) {
  if (std::erase(living_, pid) == 0) return;
  flush();
  consumer_.mention(ended_text(pid, status));
}

// -- actions of programs -------------------------------------------------------------------------

void DSession::write(std::string_view text) {
  if (output_failed_) return;
  auto written = consumer_.write(text);
  if (written) return;
  output_failed_ = true;
  consumer_.complain(describe(written.error()));
}

void DSession::freopen(const std::string& path) {
  if (auto opened = consumer_.freopen(path); !opened) consumer_.complain(describe(opened.error()));
}

void DSession::setopt(const std::string& name, const std::string& value) {
  if (auto applied = apply_option(settings_, name, value, OptionFrom::Program); !applied)
    return consumer_.complain("setopt: " + name + ": " + applied.error().why + ": expected " + applied.error().advice);
  style_ = style_of(settings_, request_.escape_controls);
}

}  // namespace strut
