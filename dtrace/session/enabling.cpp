#include "dtrace/session/enabling.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"

namespace strut {
namespace {

bool uses_arguments(const DProgram& program) {
  return std::ranges::any_of(program.code, [](const DInstruction& i) {
    return i.op == DOp::Argument || i.op == DOp::TypedArgument || i.op == DOp::TypedArgumentText;
  });
}

}  // namespace

Enabling::Enabling(const DProgram& program, ProbeTable& table, std::vector<DTarget> targets)
    : program_(program),
      table_(table),
      targets_(std::move(targets)),
      pid_(program, [&table] { return table.take_id(); }),
      watch_(pid_.sets(), [&table] { return table.take_id(); }) {}

void Enabling::take(const ProbeDescription& description, DPosition at, uint32_t clause) {
  asked_.push_back({&description, at, clause, 0, {}});
  auto number = static_cast<uint32_t>(asked_.size() - 1);
  if (is_about_pid(description)) demand(number, pid_pattern(description, program_.settings.opcode));
  else if (is_about_instructions(description)) demand(number, instr_pattern(description));
  else if (is_about_memory(description)) demand_watch(number);
  else if (is_usdt_provider(description.provider)) demand(number, usdt_pattern(description));
}

void Enabling::demand(uint32_t number, std::expected<PidPattern, Complaint> pattern) {
  DAsked& asked = asked_[number];
  asked.is_about_code = true;
  if (!pattern) return asked.complaints.push_back(pattern.error());
  if (pattern->processes == PidPattern::Processes::One) processes_.insert(pattern->pid);
  pid_.demand({*std::move(pattern), asked.clause, number});
}

void Enabling::demand_watch(uint32_t number) {
  DAsked& asked = asked_[number];
  asked.is_about_code = true;
  auto pattern = watch_pattern(*asked.description);
  if (!pattern) return asked.complaints.push_back(pattern.error());
  processes_.insert(pattern->pid);
  watch_.demand({*std::move(pattern), *asked.description, asked.clause, number});
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
  if (!looks_into_modules()) return;
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
  std::vector<uint32_t> about_it = watch_.descriptions_of(target.pid);
  for (const PidDemand& demand : pid_.demands())
    if (demand.pattern.processes == PidPattern::Processes::One && demand.pattern.pid == target.pid)
      about_it.push_back(demand.description);
  for (uint32_t number : about_it)
    asked_[number].complaints.push_back({"D_PROC_GRAB", ProbeField::Provider, why_no_code(target.pid, modules)});
  return {};
}

std::vector<PidFound> Enabling::find_in(std::span<const PidModule> modules, std::optional<Pid> pid) {
  std::vector<PidFound> all;
  for (const PidModule& module : modules) {
    if (!seen_.insert({pid, module.device, module.inode, module.is_program}).second) continue;
    looked_at_.push_back(module);
    PidFound found = pid_.find(module, pid);
    if (pid) watch_.find(module, *pid, found);
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
  if (!looks_into_modules()) return {};
  auto modules = modules_of(pid, cache_);
  if (!modules) return {};  // the process has exited: no probe in it can be hit
  std::vector<PidFound> found = find_in(*modules, pid);
  if (is_system_wide()) std::ranges::move(find_in(*modules, std::nullopt), std::back_inserter(found));
  return found;
}

/// None in a process that the caller may not trace: it has executed a program with other privileges.
std::vector<DWatch> Enabling::ranges_in(Pid pid, std::span<const FoundWatch> watches) {
  std::vector<DWatch> ranges;
  auto modules = modules_of(pid, cache_);
  if (!modules) return ranges;
  for (const FoundWatch& watch : watches) {
    if (watch.pid != pid) continue;
    auto is_its = [&](const PidModule& one) {
      return one.device == watch.device && one.inode == watch.inode && one.bias;
    };
    auto module = std::ranges::find_if(*modules, is_its);
    if (watch.inode != 0 && module == modules->end()) continue;
    ranges.push_back({watch.probe, watch.range});
    if (watch.inode != 0) ranges.back().range.address += *module->bias;
  }
  return ranges;
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
  return looks_into_modules() ||
         std::ranges::any_of(fixed_, [](const DProbe& probe) { return probe.trigger.kind != DTrigger::Kind::Fired; });
}

}  // namespace strut
