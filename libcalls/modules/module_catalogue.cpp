#include "libcalls/modules/module_catalogue.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "libcalls/pairing/errno_place.hpp"
#include "procfs/proc_file.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

namespace {

constexpr size_t kMaxEnvironment = 1 << 21;

bool has_tunables_in_environment(Pid pid) {
  auto environment = read_proc_file(proc_path(raw(pid), "environ"), kMaxEnvironment);
  return environment && environment->contains("GLIBC_TUNABLES=");
}

PlacedModule program_among(const std::vector<PlacedModule>& modules) {
  auto program = std::ranges::find_if(modules, [](const PlacedModule& placed) { return placed.module->is_main(); });
  return program != modules.end() ? *program : PlacedModule{};
}

}  // namespace

// Imports of older modules may resolve to a new module: they are looked up again until they resolve.
CataloguedProcess* ModuleCatalogue::refresh(Pid pid) {
  std::unique_ptr<CataloguedProcess>& process = processes_[raw(pid)];
  if (!process) {
    process = std::make_unique<CataloguedProcess>();
    process->modules = std::make_unique<ProcessModules>(pid, modules_->files());
  }
  if (!process->modules->refresh()) return nullptr;
  note_unread();
  process->has_tunables = has_tunables_in_environment(pid);
  place(pid, *process);
  if (process->placed.empty()) return note_other_code(*process->modules), nullptr;
  PlacedModule now = program_among(process->placed);
  if (now.module != process->program.module || now.start != process->program.start)
    process->unresolved.clear(), process->errno_place.reset();
  process->program = now;
  process->is_unseen = false;
  process->looked_ns = monotonic_ns();
  places_.changed(pid, process->placed, process->looked_ns);
  if (auto mappings = maps_of(pid); mappings && !mappings->empty()) stacks_.changed(pid, *mappings);
  return process.get();
}

void ModuleCatalogue::note_unread() {
  for (const std::string& unread : modules_->unread()) {
    complaints_.add(unread + "; its functions are not traced");
    lacks_files_ = true;
  }
}

void ModuleCatalogue::place(Pid pid, CataloguedProcess& process) {
  std::unordered_map<const Module*, const CallModule*> known;
  process.placed.clear();
  for (const auto& module : process.modules->modules()) {
    auto before = process.known.find(module.get());
    const CallModule* behind = before != process.known.end() ? before->second : modules_->of(pid, *module);
    known[module.get()] = behind;
    if (behind) process.placed.push_back({raw(module->start), raw(module->end), module->bias, behind});
  }
  process.known = std::move(known);
}

/// None of a process's code is x86-64's: its first module is the program, or the linker that was executed as one. A
/// process that is ending has no modules.
void ModuleCatalogue::note_other_code(const ProcessModules& modules) {
  auto first = std::ranges::find_if(modules.modules(), [](const auto& module) { return module->file != nullptr; });
  if (first == modules.modules().end()) return;
  const ElfFile& elf = (*first)->file->elf();
  const char* kind = elf.is_64() ? " is not a program for x86-64" : " is a 32-bit program";
  complaints_.add(std::string((*first)->name()) + kind + ": calls of its functions cannot be traced");
}

void ModuleCatalogue::executed(Pid pid, uint64_t when_ns) {
  auto known = processes_.find(raw(pid));
  if (known != processes_.end() && known->second->looked_ns >= when_ns) return;
  if (CataloguedProcess* process = refresh(pid)) process->nowhere.clear();
  else if (auto gone = processes_.find(raw(pid)); gone != processes_.end()) gone->second->is_unseen = true;
}

void ModuleCatalogue::forked(Pid parent, Pid child) {
  places_.forked(parent, child);
  stacks_.forked(parent, child);
}

// JIT code is looked up once.
PlacedModule ModuleCatalogue::placed(Pid pid, uint64_t address, uint64_t when_ns) {
  PlacedModule found = places_.at(pid, address, when_ns);
  if (found.module) return found;
  constexpr uint64_t kPage = 4096;
  auto process = processes_.find(raw(pid));
  bool is_known = process != processes_.end() && process->second->looked_ns > when_ns;
  if (is_known || (process != processes_.end() && process->second->nowhere.contains(address / kPage))) return found;
  CataloguedProcess* refreshed = refresh(pid);
  if (!refreshed) {
    auto gone = processes_.find(raw(pid));
    bool is_unseen = gone == processes_.end() || gone->second->is_unseen;
    calls_from_nowhere_ += is_unseen;
    return found;
  }
  found = places_.at(pid, address, when_ns);
  if (!found.module) refreshed->nowhere.insert(address / kPage);
  return found;
}

const CallModule* ModuleCatalogue::program_of(Pid pid) const {
  auto process = processes_.find(raw(pid));
  return process != processes_.end() ? process->second->program.module : nullptr;
}

std::optional<int64_t> ModuleCatalogue::errno_place(Pid pid) const {
  auto found = processes_.find(raw(pid));
  if (found == processes_.end()) return std::nullopt;
  if (found->second->errno_place) return found->second->errno_place;
  RemoteMemory memory(leader_of(pid));
  return found->second->errno_place = strut::errno_place(found->second->placed, {}, memory);
}

}  // namespace strut
