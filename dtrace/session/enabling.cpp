#include "dtrace/session/enabling.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/close_names.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"

namespace strut {
namespace {

/// Providers of DTrace with probes at functions of the kernel.
constexpr std::string_view kOfKernelFunctions[] = {"fbt", "lockstat", "rawfbt"};
/// More than these are not all named.
constexpr size_t kMaxNames = 16;

std::string suggestion(const std::vector<std::string>& names, std::string_view beginning = "close to it: ") {
  std::string text;
  for (size_t i = 0; i < names.size(); i++) text += (i == 0 ? "; " + std::string(beginning) : ", ") + names[i];
  return text;
}

void add_new(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

bool uses_arguments(const DProgram& program) {
  return std::ranges::any_of(program.code, [](const DInstruction& i) {
    return i.op == DOp::Argument || i.op == DOp::TypedArgument || i.op == DOp::TypedArgumentText;
  });
}

bool is_about_pid(const ProbeDescription& description) {
  // The pid provider reports errors of "pid" alone, "pidx", "pid$missing".
  return description.provider.starts_with("pid") && !is_glob(description.provider.substr(0, 3)) &&
         !is_usdt_provider(description.provider);
}

bool is_about_instructions(const ProbeDescription& description) {
  return description.provider == "instr" || is_instr_provider(description.provider);
}

}  // namespace

Enabling::Enabling(const DProgram& program, ProbeTable& table, std::vector<DTarget> targets)
    : program_(program),
      table_(table),
      targets_(std::move(targets)),
      pid_(static_cast<uint32_t>(program.settings.most_probes()), [&table] { return table.take_id(); }) {}

void Enabling::take(const ProbeDescription& description, DPosition at, uint32_t clause) {
  asked_.push_back({&description, at, clause, 0, {}});
  auto number = static_cast<uint32_t>(asked_.size() - 1);
  if (is_about_pid(description)) demand(number, pid_pattern(description, program_.settings.opcode));
  else if (is_about_instructions(description)) demand(number, instr_pattern(description));
  else if (is_usdt_provider(description.provider)) demand(number, usdt_pattern(description));
}

void Enabling::demand(uint32_t number, std::expected<PidPattern, Complaint> pattern) {
  DAsked& asked = asked_[number];
  asked.is_about_code = true;
  if (!pattern) return asked.complaints.push_back(pattern.error());
  if (pattern->processes == PidPattern::Processes::One) processes_.insert(pattern->pid);
  pid_.demand({*std::move(pattern), asked.clause, number});
}

namespace {

/// A call that a program probes by its own name fires there alone, and not by an older name, too.
void leave_to_own_names(std::vector<DProbe>& probes) {
  auto fires_by_its_name = [&](DTrigger::Kind kind, const DTrigger::Syscall& call) {
    return std::ranges::any_of(
        probes, [&](const DProbe& probe) { return probe.trigger.kind == kind && probe.function == call.name; });
  };
  for (DProbe& probe : probes) {
    auto is_of_other_name = [&](const DTrigger::Syscall& call) {
      return call.name != probe.function && fires_by_its_name(probe.trigger.kind, call);
    };
    std::erase_if(probe.trigger.calls, is_of_other_name);
  }
}

}  // namespace

/// Probes of providers with a list of them.
void Enabling::find_fixed() {
  std::map<uint32_t, uint32_t> sets;  // by id
  for (uint32_t number = 0; number < asked_.size(); number++) {
    DAsked& asked = asked_[number];
    if (asked.is_about_code) continue;
    for (uint32_t id : table_.find(*asked.description)) {
      asked.matched++;
      uint32_t& set = sets[id];
      set = pid_.sets().with(set, asked.clause);
    }
    // A pattern of providers without a process that no other provider fits: python*, in every process.
    if (asked.matched == 0 && is_glob(asked.description->provider)) demand(number, usdt_pattern(*asked.description));
  }
  for (auto [id, set] : sets) {
    const OfferedProbe& probe = table_.at(id);
    fixed_.push_back(
        {id, probe.provider, probe.module, probe.function, probe.name, probe.trigger, pid_.sets().of(set)});
  }
  leave_to_own_names(fixed_);
}

void Enabling::find() {
  for (uint32_t number = 0; number < program_.clauses.size(); number++) {
    const DClause& clause = program_.clauses[number];
    for (size_t i = 0; i < clause.probes.size(); i++) take(clause.probes[i], clause.probe_places.at(i), number);
  }
  find_fixed();
  if (pid_.empty()) return;
  for (const DTarget& target : targets_)
    if (processes_.contains(target.pid))
      std::ranges::move(find_in(modules_of_target(target), target.pid), std::back_inserter(found_));
  for (Pid pid : processes_)
    if (std::ranges::none_of(targets_, [&](const DTarget& target) { return target.pid == pid; }))
      std::ranges::move(find_in(modules_of_target({pid, {}}), pid), std::back_inserter(found_));
  find_to_be_opened();
  find_everywhere();
}

/// A library that a process has not mapped may still be opened by it (dlopen(3)): its file is known by now.
void Enabling::find_to_be_opened() {
  auto program = std::ranges::find_if(looked_at_, &PidModule::is_program);
  const LibraryKind& kind = program != looked_at_.end() ? library_kind_of(program->file->elf()) : kind_of_x86_64();
  for (const PidDemand& demand : pid_.demands()) {
    if (demand.pattern.processes != PidPattern::Processes::One || asked_[demand.description].matched != 0) continue;
    bool has_module = std::ranges::any_of(
        looked_at_, [&](const PidModule& module) { return module_matches(demand.pattern.module, module.names()); });
    if (has_module || looked_at_.empty()) continue;
    std::ranges::move(find_in(modules_by_name(demand.pattern.module, kind, cache_), demand.pattern.pid),
                      std::back_inserter(found_));
  }
}

namespace {

/// Why a process has no code that could be looked into.
std::string why_no_code(Pid pid, const Result<std::vector<PidModule>>& modules) {
  std::string failed = "failed to grab process " + std::to_string(raw(pid)) + ": ";
  if (!modules)
    return failed + (modules.error().code != 0 ? std::strerror(modules.error().code) : describe(modules.error()));
  auto status = process_status(leader_of(pid));
  if (status && status->kernel_thread) return kernel_thread_refusal(pid);
  if (status && status->state == 'Z') return ended_refusal(pid);
  return failed + "it has mapped no file with code";
}

}  // namespace

std::vector<PidModule> Enabling::modules_of_target(const DTarget& target) {
  if (target.command) return modules_to_come(*target.command, cache_);
  auto modules = modules_of(target.pid, cache_);
  if (modules && !modules->empty()) return *std::move(modules);
  for (const PidDemand& demand : pid_.demands())
    if (demand.pattern.processes == PidPattern::Processes::One && demand.pattern.pid == target.pid)
      asked_[demand.description].complaints.push_back(
          {"D_PROC_GRAB", ProbeField::Provider, why_no_code(target.pid, modules)});
  return {};
}

std::vector<PidFound> Enabling::find_in(std::span<const PidModule> modules, std::optional<Pid> pid) {
  std::vector<PidFound> all;
  for (const PidModule& module : modules) {
    if (!seen_.insert({pid, module.device, module.inode, module.is_program}).second) continue;
    looked_at_.push_back(module);
    PidFound found = pid_.find(module, pid);
    for (auto [description, count] : found.matched) asked_[description].matched += count;
    for (const auto& refused : found.refused) {
      asked_[refused.description].complaints.push_back(refused.complaint);
      if (refused.complaint.tag == "D_PROC_CREATEFAIL") shortage_ = refused.complaint.text;
    }
    if (!found.misplaced.empty()) notes_.push_back(found.misplaced);
    if (!found.unread_arguments.empty() && uses_arguments(program_)) notes_.push_back(found.unread_arguments);
    if (!found.probes.empty()) all.push_back(std::move(found));
  }
  return all;
}

void Enabling::find_everywhere() {
  std::vector<PidModule> modules;
  for (const PidDemand& demand : pid_.demands()) {
    if (demand.pattern.processes != PidPattern::Processes::Every || demand.pattern.place == PidPattern::Place::Absolute)
      continue;
    std::ranges::move(modules_of_all(demand.pattern.module, cache_), std::back_inserter(modules));
  }
  std::ranges::move(find_in(modules, std::nullopt), std::back_inserter(found_));
}

std::vector<PidFound> Enabling::find_new(Pid pid) {
  if (pid_.empty()) return {};
  auto modules = modules_of(pid, cache_);
  if (!modules) return {};  // the process has exited: no probe in it can be hit
  std::vector<PidFound> found = find_in(*modules, pid);
  if (is_system_wide()) std::ranges::move(find_in(*modules, std::nullopt), std::back_inserter(found));
  return found;
}

std::vector<std::string> Enabling::take_notes() {
  for (const std::string& unread : cache_.take_unread()) notes_.push_back(unread + "; it has no probes");
  return std::exchange(notes_, {});
}

uint64_t Enabling::matched_by(uint32_t source) const {
  uint64_t count = 0;
  for (const DAsked& asked : asked_)
    if (program_.clauses[asked.clause].source == source) count += asked.matched;
  return count;
}

bool Enabling::is_system_wide() const {
  return std::ranges::any_of(pid_.demands(),
                             [](const PidDemand& d) { return d.pattern.processes == PidPattern::Processes::Every; });
}

bool Enabling::is_about_named_code() const {
  return !is_system_wide() &&
         std::ranges::all_of(fixed_, [](const DProbe& probe) { return probe.trigger.kind == DTrigger::Kind::Fired; });
}

bool Enabling::needs_processes() const {
  return !pid_.empty() ||
         std::ranges::any_of(fixed_, [](const DProbe& probe) { return probe.trigger.kind != DTrigger::Kind::Fired; });
}

std::string Enabling::reason(const DAsked& asked) {
  if (!asked.complaints.empty()) return asked.complaints[0].text;
  const ProbeDescription& description = *asked.description;
  if (is_about_pid(description) || is_about_instructions(description)) return reason_in_modules(asked);
  if (is_usdt_provider(description.provider)) return reason_in_notes(asked);
  if (!description.provider.empty() && !table_.has_provider(description.provider))
    return reason_for_provider(description.provider);
  if (description.name.starts_with("tick-") || description.name.starts_with("profile-"))
    return "it takes a rate, or a time with ns, us, ms, s, m, h or d, of 200 microseconds or more: tick-10ms, "
           "profile-97";
  for (ProbeField field : {ProbeField::Function, ProbeField::Name, ProbeField::Module}) {
    auto names = table_.close_names(description, field);
    if (!names.empty())
      return "no such " +
             std::string(field == ProbeField::Function ? "function"
                         : field == ProbeField::Name   ? "name"
                                                       : "module") +
             suggestion(names);
  }
  if (auto names = table_.names(description, ProbeField::Name, kMaxNames); !names.empty())
    return "no such name" + suggestion(names, "expected one of ");
  return "-l lists those that are always there";
}

std::string Enabling::reason_for_provider(const std::string& provider) {
  std::string text = "there is no provider '" + provider + "'";
  if (std::ranges::count(kOfKernelFunctions, provider) != 0)
    return text + ": strut probes no functions of the kernel; rawtp has its tracepoints";
  text += suggestion(table_.close_names({}, ProbeField::Provider)) +
          ": dtrace, instr, io, ip, pid, proc, profile, rawtp, sched, sdt, syscall, tcp, udp and vminfo are, and ";
  if (is_glob(provider)) return text + "no process has static probes of it";
  return text + provider + "$target where a program has static probes";
}

/// The providers and names that there are instead.
std::string Enabling::reason_in_notes(const DAsked& asked) {
  PidPattern pattern = *usdt_pattern(*asked.description);
  std::vector<std::string> providers, names;
  for (const PidModule& module : looked_at_)
    for (const UsdtSite& site : pid_.usdt_sites_of(module.file)) {
      add_new(providers, std::string(site.provider));
      if (glob_matches(pattern.usdt_provider, site.provider)) add_new(names, site.name);
    }
  if (names.empty())
    return "no module of process " + std::to_string(raw(pattern.pid)) + " has a provider '" + pattern.usdt_provider +
           "'" + suggestion(providers, "there is ") + "; -Z waits for a library that is opened later";
  std::vector<std::string_view> known(names.begin(), names.end());
  auto close = close_names(pattern.name, known);
  if (names.size() <= kMaxNames && close.empty()) close = names;
  return "'" + pattern.usdt_provider + "' has no such probe" + suggestion(close, "there is ");
}

std::string Enabling::reason_in_modules(const DAsked& asked) {
  const ProbeDescription& description = *asked.description;
  std::vector<std::string> modules, stripped, nameless;
  std::vector<std::string_view> functions;
  bool module_is_there = false;
  for (const PidModule& module : looked_at_) {
    add_new(modules, module.name());
    if (!module_matches(description.module, module.names())) continue;
    module_is_there = true;
    std::vector<std::string_view> known = pid_.functions(module);
    bool is_meant = module.is_program || !description.module.empty();
    if (is_meant && known.empty()) add_new(nameless, module.name());
    else if (is_meant && stripped.size() < kMaxNames && module.file->is_stripped()) add_new(stripped, module.name());
    std::ranges::move(known, std::back_inserter(functions));
  }
  if (!module_is_there) {
    std::vector<std::string_view> names(modules.begin(), modules.end());
    return "no module '" + description.module + "'" + suggestion(close_names(description.module, names)) +
           "; -Z waits for one that is opened later";
  }
  std::string where = description.module.empty() ? "any module" : "module '" + description.module + "'";
  std::string function = description.function;
  if (is_about_instructions(description) && !is_glob(function)) function = instruction_field(function).function;
  return "failed to lookup '" + function + "' in " + where + suggestion(close_names(function, functions)) +
         suggestion(stripped, "without debug information only exported functions are known in ") +
         suggestion(nameless, "nothing has a name in ");
}

}  // namespace strut
