// CallPoints: the identity of a call, by its caller.
#include <algorithm>

#include "libcalls/arming/call_points_parts.hpp"

namespace strut {

size_t CallPoints::VerdictHash::operator()(const VerdictKey& key) const {
  uint64_t mixed = (key.at ^ reinterpret_cast<uintptr_t>(key.caller)) * 0x9e3779b97f4a7c15ull + key.index;
  return mixed ^ mixed >> 32;
}

SiteOwner CallPoints::owner(uint32_t index) const {
  std::lock_guard lock(mutex_);
  const Owner& owner = *owners_[index];
  if (!owner.code) return {.is_outward = true};
  const auto& sites = owner.code->sites;
  // Calls seen by their return addresses end without their jumps. The code after a stub may jump, unseen.
  bool may_jump = (owner.code->is_stub && owner.code->calls.empty()) || (sites && sites->is_left_otherwise());
  // A function without jumps has reported all of them: a call with another one in its place was left by an exception.
  bool is_seen_elsewhere = owner.code->is_stub || owner.returns_behind || function(index).may_replace_return;
  bool shows_jumps = sites && !sites->runs_out && !is_seen_elsewhere;
  bool reports_jumps = shows_jumps || (sites && !may_jump);
  bool is_met_twice = (sites && sites->is_looped_to) || !owner.code->stubs.empty();
  return {owner.code->id, reports_jumps, may_jump, owner.is_reported, is_met_twice};
}

// A jump through a pointer is not followed: its target ends all calls that no other owner of the same code is for.
bool CallPoints::may_end(uint32_t index, uint64_t code) const {
  std::lock_guard lock(mutex_);
  const Owner& owner = *owners_[index];
  if (!owner.code) return false;
  bool is_own = owner.is_reported ? owner.code->id == code : owner.jumpers.contains(code);
  if (is_own) return true;
  bool is_its_own = owner.code->id == code && !owner.code->reported.empty();
  return !is_its_own && std::ranges::none_of(owner.code->hidden, [&](const auto& hidden) {
    return owners_[hidden.second]->jumpers.contains(code);
  });
}

bool CallPoints::has_caller(const Owner& owner, const CallModule* caller) {
  if (owner.callers.empty()) return true;
  return caller && std::ranges::find(owner.callers, CodeFile{caller->device(), caller->inode()}) != owner.callers.end();
}

// Several owners of one function have different callers: the first with this caller reports.
bool CallPoints::reports(const Owner& owner, const CallModule* caller) const {
  for (uint32_t index : owner.code->reported) {
    const Owner& one = *owners_[index];
    if (has_caller(one, caller)) return &one == &owner;
  }
  return false;
}

CallVerdict CallPoints::verdict(const Owner& owner, std::string_view symbol, const CallModule* caller, CallWay way) {
  const Code& code = *owner.code;
  const auto& [module, address] = code.function();
  FilteredModule callee = module->names();
  std::optional<FilteredModule> from = caller ? std::optional(caller->names()) : std::nullopt;
  auto label = choice_.label(symbol, callee, from ? &*from : nullptr, way);
  // By this name it does not count; the function may be wanted itself by another of its names.
  for (size_t i = 0; !label && way != CallWay::Direct && i < code.names.size(); i++) {
    symbol = code.names[i];
    label = choice_.label(symbol, callee, from ? &*from : nullptr, CallWay::Direct);
  }
  CallVerdict made;
  if (!label || !reports(owner, caller)) return made;
  made.reported = true;
  made.symbol = shown(symbol);
  made.module = code.callee;
  if (caller) made.caller = caller->names().soname;
  made.label = *label;
  made.desc = prototypes_.of(symbol, *module, address);
  return made;
}

bool CallPoints::means(const Import& import, const CallModule& caller, const Code& code) const {
  auto found = meant_.find(&import);
  if (found != meant_.end()) return std::ranges::find(found->second, &code) != found->second.end();
  // This module's calls were not requested: then by name.
  std::string_view name = caller.name_of(import);
  if (std::ranges::find(code.names, name) != code.names.end()) return true;
  const auto& [module, address] = code.function();
  const Symbol* symbol = module->exports().find(name, import.version);
  return symbol && symbol->address == address;
}

const CallModule* CallPoints::program_of(Pid pid) const {
  auto process = processes_.find(raw(pid));
  return process != processes_.end() ? process->second->program.module : nullptr;
}

// The linker searches the program first: a library's call of a name that the program exports reaches the program's
// function. nullptr: it does not, or it does not leave through a pointer, which is not seen.
const CallModule* CallPoints::jumping_program(const CallModule* program, const CallModule& caller,
                                              const Import& import) const {
  if (!program || program == &caller || !choice_.calls_from(program->names())) return nullptr;
  const Symbol* own = program->exports().find(caller.name_of(import), import.version);
  bool jumps = own && own->type == SymbolType::Function && program->jumps_through_pointers(own->address);
  return jumps ? program : nullptr;
}

CallVerdict CallPoints::judge(const Owner& owner, const PlacedModule& caller, const CallModule* program,
                              uint64_t return_address) {
  const Code& code = *owner.code;
  std::string_view best = code.names.front();
  if (!caller.module) return verdict(owner, best, nullptr, CallWay::Pointer);
  CalledThere there = caller.module->called_before(return_address - caller.bias);
  switch (there.what) {
    case CalledThere::What::Import:
      if (means(*there.import, *caller.module, code))
        return verdict(owner, caller.module->name_of(*there.import), caller.module, CallWay::Import);
      if (const CallModule* jumper = jumping_program(program, *caller.module, *there.import))
        return verdict(owner, best, jumper, CallWay::Pointer);
      break;
    case CalledThere::What::Address:
      if (caller.module == code.module && there.address == code.address)
        return verdict(owner, best, caller.module, CallWay::Direct);
      if (caller.module->jumps_through_pointers(there.address))
        return verdict(owner, best, caller.module, CallWay::Pointer);
      break;
    case CalledThere::What::Indirect: return verdict(owner, best, caller.module, CallWay::Pointer);
  }
  // Something else was called there, which jumped here.
  return verdict(owner, best, nullptr, CallWay::Direct);
}

// A process may run code that was not reported yet. JIT code is looked up once.
PlacedModule CallPoints::placed(Pid pid, uint64_t address, uint64_t when_ns) {
  PlacedModule found = places_.at(pid, address, when_ns);
  if (found.module) return found;
  constexpr uint64_t kPage = 4096;
  auto process = processes_.find(raw(pid));
  bool is_known = process != processes_.end() && process->second->looked_ns > when_ns;
  if (is_known || (process != processes_.end() && process->second->nowhere.contains(address / kPage))) return found;
  Process* refreshed = refresh(pid);
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

const CallVerdict& CallPoints::called(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  PlacedModule caller = placed(pid, return_address, when_ns);
  const CallModule* program = program_of(pid);
  VerdictKey key{index, caller.module, caller.module ? return_address - caller.bias : 0, program};
  auto [known, is_new] = verdicts_.try_emplace(key);
  if (is_new) known->second = judge(*owners_[index], caller, program, return_address);
  return known->second;
}

const CallVerdict& CallPoints::called_by_jump(uint32_t index, uint32_t outward) {
  std::lock_guard lock(mutex_);
  const Owner &owner = *owners_[index], &from = *owners_[outward];
  auto [known, is_new] = verdicts_.try_emplace({index, from.outward_from, ~uint64_t{outward}});
  if (!is_new || !from.import) return known->second;
  bool is_meant = means(*from.import, *from.outward_from, *owner.code);
  if (is_meant)
    known->second = verdict(owner, from.outward_from->name_of(*from.import), from.outward_from, CallWay::Import);
  else known->second = verdict(owner, owner.code->names.front(), nullptr, CallWay::Direct);
  return known->second;
}

const CallVerdict& CallPoints::jumped_to(uint32_t index) {
  std::lock_guard lock(mutex_);
  const Owner& owner = *owners_[index];
  auto [known, is_new] = verdicts_.try_emplace({index, nullptr, ~uint64_t{0}});
  if (is_new) known->second = verdict(owner, owner.code->names.front(), nullptr, CallWay::Direct);
  return known->second;
}

bool CallPoints::is_code(Pid pid, uint64_t address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  return placed(pid, address, when_ns).module != nullptr;
}

std::optional<std::string> CallPoints::symbol(Pid pid, uint64_t address, uint64_t when_ns) {
  PlacedModule placed = places_.at(pid, address, when_ns);
  if (!placed.module) return std::nullopt;
  std::lock_guard lock(mutex_);
  auto found = placed.module->file().symbols().at(address - placed.bias);
  if (!found || found->offset != 0) return std::nullopt;
  return std::string(shown(found->symbol->name));
}

}  // namespace strut
