#include "libcalls/arming/call_points.hpp"

#include "base/clock.hpp"
#include "libcalls/pairing/errno_place.hpp"
#include "pid-provider/control_flow.hpp"
#include "procfs/remote_memory.hpp"

namespace strut {

CallPoints::CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options)
    : CallPoints(choice, prototypes, options, std::make_shared<CallModules>()) {}

CallPoints::CallPoints(const CallChoice& choice, PrototypeSearch& prototypes, CallPointsOptions options,
                       std::shared_ptr<CallModules> modules)
    : catalogue_(std::move(modules), complaints_),
      calls_(choice, prototypes, sites_, options.demangle ? SymbolStyle::Demangled : SymbolStyle::Raw),
      context_{choice, prototypes, options, sites_, calls_, complaints_},
      look_(context_) {}

/// It shares the modules: reading and decoding files is most of the time of a look.
std::unique_ptr<FunctionPoints> CallPoints::anew() const {
  return std::unique_ptr<FunctionPoints>(
      new CallPoints(context_.choice, context_.prototypes, context_.options, catalogue_.modules()));
}

std::vector<FunctionCode> CallPoints::code_changed(Pid pid) {
  std::lock_guard lock(mutex_);
  CataloguedProcess* process = catalogue_.refresh(pid);
  if (!process) return {};
  process->nowhere.clear();
  RemoteMemory memory(leader_of(pid));
  Scope scope(process->placed, link_maps(*process->modules, memory), memory, process->has_tunables);
  look_.look_at(*process, scope);
  // A library that is loaded later has its storage elsewhere: the linker has loaded all initial ones when this is
  // called.
  if (!process->errno_place) process->errno_place = strut::errno_place(process->placed, scope.loaded(), memory);
  return sites_.take_new_sites();
}

// Callers that cannot be found beforehand: calls through pointers, or after a jump. A return address that only looks
// like an instruction belongs to a call that never returns.
std::vector<FunctionCode> CallPoints::behind(uint32_t index, Pid pid, uint64_t return_address) {
  std::lock_guard lock(mutex_);
  const CodeOwner& owner = sites_.owner(index);
  if (!owner.code || !function(index).is_left_unseen) return {};
  PlacedModule caller = catalogue_.placed(pid, return_address, monotonic_ns());
  if (!caller.module || caller.module->inode() == 0) return {};
  bool may_count = owner.code->is_jumped_to || context_.choice.calls_from(caller.module->names());
  if (!may_count && !calls_.judge(owner, caller, catalogue_.program_of(pid), return_address).reported) return {};
  uint64_t address = return_address - caller.bias;
  auto range = caller.module->functions().range_around(address);
  if (!range || !decode_function(caller.module->functions(), *range).at(address)) return {};
  look_.returns().add_behind(*owner.code, *caller.module, address);
  return sites_.take_new_sites();
}

void CallPoints::refused(const FunctionCode& code, const FunctionSite& site, std::string_view why) {
  std::lock_guard lock(mutex_);
  const CodeOwner& owner = sites_.owner(site.function);
  // Where the function takes no probe, its callers' PLT may.
  if (site.kind == FunctionSite::Kind::Entry && !owner.code->stubs.empty()) return;
  // A result that is not seen there is a question mark.
  if (site.kind == FunctionSite::Kind::Behind) return look_.returns().refused_behind(*owner.code, code, site);
  // For owners that only exist to show the ends of other calls: those calls report themselves that they were not seen.
  if (!owner.is_reported && site.kind != FunctionSite::Kind::Outward) return;
  const TracedFunction& traced = function(site.function);
  complaints_.add(std::string(traced.symbol) + '@' + std::string(traced.module) + ": " + std::string(why));
}

const TracedFunction& CallPoints::function(uint32_t index) const { return sites_.function(index); }

std::optional<int64_t> CallPoints::errno_place(Pid pid) const {
  std::lock_guard lock(mutex_);
  return catalogue_.errno_place(pid);
}

// -- reporting ----------------------------------------------------------------------------------------------

SiteOwner CallPoints::owner(uint32_t index) const {
  std::lock_guard lock(mutex_);
  return sites_.seen_as(index);
}

bool CallPoints::may_end(uint32_t index, uint64_t code) const {
  std::lock_guard lock(mutex_);
  return sites_.may_end(index, code);
}

const CallVerdict& CallPoints::called(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  PlacedModule caller = catalogue_.placed(pid, return_address, when_ns);
  return calls_.called(index, caller, catalogue_.program_of(pid), return_address);
}

const CallVerdict& CallPoints::called_by_jump(uint32_t index, uint32_t outward) {
  std::lock_guard lock(mutex_);
  return calls_.called_by_jump(index, outward);
}

const CallVerdict& CallPoints::jumped_to(uint32_t index) {
  std::lock_guard lock(mutex_);
  return calls_.jumped_to(index);
}

bool CallPoints::may_return_unseen(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  const TracedCode* code = sites_.owner(index).code;
  if (!code || !look_.returns().has_unseen(*code)) return false;
  return !look_.returns().are_seen_behind(*code, catalogue_.placed(pid, return_address, when_ns), return_address);
}

bool CallPoints::is_called_there(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  const TracedCode* code = sites_.owner(index).code;
  PlacedModule caller = catalogue_.placed(pid, return_address, when_ns);
  return code && calls_.is_called_there(*code, caller, return_address);
}

bool CallPoints::is_code(Pid pid, uint64_t address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  return catalogue_.placed(pid, address, when_ns).module != nullptr;
}

std::optional<std::string> CallPoints::symbol(Pid pid, uint64_t address, uint64_t when_ns) {
  PlacedModule placed = catalogue_.at(pid, address, when_ns);
  if (!placed.module) return std::nullopt;
  std::lock_guard lock(mutex_);
  auto found = placed.module->file().symbols().at(address - placed.bias);
  if (!found || found->offset != 0) return std::nullopt;
  return std::string(calls_.shown(found->symbol->name));
}

void CallPoints::executed(Pid pid, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  catalogue_.executed(pid, when_ns);
}

CallFindings CallPoints::findings() const {
  std::lock_guard lock(mutex_);
  CallFindings findings{complaints_.lines(), complaints_.hidden(), catalogue_.lacks_files(),
                        look_.programs_import_nothing(), sites_.reported()};
  if (uint64_t calls = catalogue_.calls_from_nowhere(); calls != 0)
    findings.complaints.push_back(std::to_string(calls) +
                                  " calls are not reported: their processes ended before the callers were known");
  return findings;
}

}  // namespace strut
