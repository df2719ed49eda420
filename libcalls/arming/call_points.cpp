#include "libcalls/arming/call_points.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "libcalls/arming/call_points_parts.hpp"
#include "libcalls/pairing/errno_place.hpp"
#include "pid-provider/displacement.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/remote_memory.hpp"
#include "symtab/elf/demangle.hpp"

namespace strut {

namespace {

constexpr size_t kMaxEnvironment = 1 << 21;

bool has_tunables_in_environment(Pid pid) {
  auto environment = read_proc_file(proc_path(raw(pid), "environ"), kMaxEnvironment);
  return environment && environment->contains("GLIBC_TUNABLES=");
}

}  // namespace

CallPoints::CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options)
    : CallPoints(choice, prototypes, options, std::make_shared<CallModules>()) {}

CallPoints::CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options,
                       std::shared_ptr<CallModules> modules)
    : choice_(choice),
      prototypes_(prototypes),
      options_(options),
      modules_(std::move(modules)),
      pending_(std::make_unique<Pending>()) {}

CallPoints::~CallPoints() = default;

/// It shares the modules: reading and decoding files is most of the time of a look.
std::unique_ptr<FunctionPoints> CallPoints::anew() const {
  return std::unique_ptr<FunctionPoints>(new CallPoints(choice_, prototypes_, options_, modules_));
}

std::vector<FunctionCode> CallPoints::code_changed(Pid pid) {
  std::lock_guard lock(mutex_);
  Process* process = refresh(pid);
  if (!process) return {};
  process->nowhere.clear();
  RemoteMemory memory(leader_of(pid));
  Scope scope(process->placed, link_maps(*process->modules, memory), memory, process->has_tunables);
  look_at(*process, scope);
  // A library that is loaded later has its storage elsewhere: the linker has loaded all initial ones when this is
  // called.
  if (!process->errno_place) process->errno_place = strut::errno_place(process->placed, scope.loaded(), memory);
  return take_pending();
}

void CallPoints::executed(Pid pid, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  auto known = processes_.find(raw(pid));
  if (known != processes_.end() && known->second->looked_ns >= when_ns) return;
  if (Process* process = refresh(pid)) process->nowhere.clear();
  else if (auto gone = processes_.find(raw(pid)); gone != processes_.end()) gone->second->is_unseen = true;
}

// Imports of older modules may resolve to a new module: they are looked up again until they resolve.
CallPoints::Process* CallPoints::refresh(Pid pid) {
  std::unique_ptr<Process>& process = processes_[raw(pid)];
  if (!process) {
    process = std::make_unique<Process>();
    process->modules = std::make_unique<ProcessModules>(pid, modules_->files());
  }
  if (!process->modules->refresh()) return nullptr;
  for (const std::string& unread : modules_->unread()) {
    complain(unread + "; its functions are not traced");
    lacks_files_ = true;
  }
  process->has_tunables = has_tunables_in_environment(pid);
  std::unordered_map<const Module*, const CallModule*> known;
  process->placed.clear();
  for (const auto& module : process->modules->modules()) {
    auto before = process->known.find(module.get());
    const CallModule* behind = before != process->known.end() ? before->second : modules_->of(pid, *module);
    known[module.get()] = behind;
    if (behind) process->placed.push_back({raw(module->start), raw(module->end), module->bias, behind});
  }
  process->known = std::move(known);
  if (process->placed.empty()) return note_other_code(*process->modules), nullptr;
  auto program =
      std::ranges::find_if(process->placed, [](const PlacedModule& placed) { return placed.module->is_main(); });
  PlacedModule now = program != process->placed.end() ? *program : PlacedModule{};
  if (now.module != process->program.module || now.start != process->program.start)
    process->unresolved.clear(), process->errno_place.reset();
  process->program = now;
  process->is_unseen = false;
  process->looked_ns = monotonic_ns();
  places_.changed(pid, process->placed, process->looked_ns);
  if (auto mappings = maps_of(pid); mappings && !mappings->empty()) stacks_.changed(pid, *mappings);
  return process.get();
}

/// None of a process's code is x86-64's: its first module is the program, or the linker that was executed as one. A
/// process that is ending has no modules.
void CallPoints::note_other_code(const ProcessModules& modules) {
  auto first = std::ranges::find_if(modules.modules(), [](const auto& module) { return module->file != nullptr; });
  if (first == modules.modules().end()) return;
  const ElfFile& elf = (*first)->file->elf();
  const char* kind = elf.is_64() ? " is not a program for x86-64" : " is a 32-bit program";
  complain(std::string((*first)->name()) + kind + ": calls of its functions cannot be traced");
}

std::vector<FunctionCode> CallPoints::take_pending() {
  std::vector<FunctionCode> codes;
  for (auto& [module, sites] : pending_->sites) {
    // At one address, report the return of the previous call before the entry of the next.
    auto place = [](const FunctionSite& site) {
      return std::pair(site.file_offset, site.kind != FunctionSite::Kind::Behind);
    };
    std::ranges::stable_sort(sites, {}, place);
    auto file = module->shared_file();
    codes.push_back({module->opened(), module->device(), module->inode(), std::move(sites),
                     [file](const FunctionSite& site) { return displaced_at(file->elf(), site.file_offset); }});
  }
  pending_->sites.clear();
  return codes;
}

void CallPoints::refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) {
  std::lock_guard lock(mutex_);
  // Where the function takes no probe, its callers' PLT may.
  if (site.kind == FunctionSite::Kind::Entry && !owners_[site.function]->code->stubs.empty()) return;
  // A result that is not seen there is a question mark.
  if (site.kind == FunctionSite::Kind::Behind)
    return void(seen_behind_.erase({owners_[site.function]->code, code.device, code.inode, site.file_offset}));
  // For owners that only exist to show the ends of other calls: those calls report themselves that they were not seen.
  if (!owners_[site.function]->is_reported && site.kind != FunctionSite::Kind::Outward) return;
  const TracedFunction& traced = function(site.function);
  complain(std::string(traced.symbol) + '@' + std::string(traced.module) + ": " + std::string(why));
}

const TracedFunction& CallPoints::function(uint32_t index) const { return (*traced_[index / kChunk])[index % kChunk]; }

std::optional<int64_t> CallPoints::errno_place(Pid pid) const {
  std::lock_guard lock(mutex_);
  auto found = processes_.find(raw(pid));
  if (found == processes_.end()) return std::nullopt;
  if (found->second->errno_place) return found->second->errno_place;
  RemoteMemory memory(leader_of(pid));
  return found->second->errno_place = strut::errno_place(found->second->placed, {}, memory);
}

uint32_t CallPoints::add_owner(const Owner& owner, const TracedFunction& function) {
  auto index = static_cast<uint32_t>(owners_.size());
  CHECK_THAT(index / kChunk < kChunks);
  auto& chunk = traced_[index / kChunk];
  if (!chunk) chunk = std::make_unique<std::array<TracedFunction, kChunk>>();
  owners_.push_back(std::make_unique<Owner>(owner));
  TracedFunction& traced = (*chunk)[index % kChunk];
  traced = function;
  traced.callers = owners_.back()->callers;
  return index;
}

void CallPoints::add_site(const CallModule& module, FunctionSite site, uint32_t owner) {
  site.function = owner;
  pending_->sites[&module].push_back(site);
}

void CallPoints::complain(std::string text) {
  if (complained_.insert(text).second) complaints_.push_back(std::move(text));
}

std::vector<std::string> CallPoints::complaints() const {
  std::lock_guard lock(mutex_);
  std::vector<std::string> all = complaints_;
  if (calls_from_nowhere_ != 0)
    all.push_back(std::to_string(calls_from_nowhere_) +
                  " calls are not reported: their processes ended before the callers were known");
  return all;
}

bool CallPoints::lacks_files() const {
  std::lock_guard lock(mutex_);
  return lacks_files_;
}

std::vector<std::string> CallPoints::hidden() const {
  std::lock_guard lock(mutex_);
  return hidden_;
}

bool CallPoints::programs_import_nothing() const {
  std::lock_guard lock(mutex_);
  auto is_program = [](const CallModule* module) { return module->names().is_main; };
  return std::ranges::any_of(seen_, is_program) && std::ranges::none_of(seen_, [&](const CallModule* module) {
           return is_program(module) && !module->imports().empty();
         });
}

size_t CallPoints::functions() const {
  std::lock_guard lock(mutex_);
  return reported_;
}

std::string_view CallPoints::shown(std::string_view symbol) {
  if (!options_.demangle) return symbol;
  auto [known, is_new] = shown_.try_emplace(symbol);
  if (is_new) known->second = texts_.emplace_back(demangled(symbol));
  return known->second;
}

}  // namespace strut
