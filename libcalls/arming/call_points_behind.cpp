// CallPoints: functions with returns that their own sites do not show. The returns of reported calls are seen at their
// return addresses.
#include "base/clock.hpp"
#include "libcalls/arming/call_points_parts.hpp"
#include "libcalls/modules/call_instructions.hpp"
#include "pid-provider/control_flow.hpp"

namespace strut {

void CallPoints::look_behind_calls(const CallModule& caller) {
  if (caller.inode() == 0) return;
  std::unordered_map<const Import*, std::vector<const Code*>> by_import;
  std::unordered_map<uint64_t, const Code*> by_address;
  CalledThings called;
  for (const Code* code : left_unseen_) {
    bool may_call = code->is_wanted_itself || choice_.calls_from(caller.names());
    if (!may_call || !looked_behind_.insert({&caller, code}).second) continue;
    for (const Import& import : caller.imports())
      if (means(import, caller, *code)) by_import[&import].push_back(code), called.imports.insert(&import);
    if (code->module == &caller && code->is_wanted_itself)
      by_address[code->address] = code, called.addresses.insert(code->address);
  }
  for (const CallInstruction& call : calls_of(caller, called).calls) {
    if (!call.import) add_behind(*by_address[call.address], caller, call.returns_to);
    else
      for (const Code* code : by_import[call.import]) add_behind(*code, caller, call.returns_to);
  }
}

// For the first owner with this caller: one is enough to see the end.
void CallPoints::add_behind(const Code& code, const CallModule& caller, uint64_t address) {
  if (!behind_.insert({&caller, &code, address}).second) return;
  auto site = site_on(caller, address, FunctionSite::Kind::Behind);
  for (uint32_t index : code.reported)
    if (site && (code.is_jumped_to || has_caller(*owners_[index], &caller))) {
      seen_behind_.insert({&code, caller.device(), caller.inode(), site->file_offset});
      return add_site(caller, *site, index);
    }
}

void CallPoints::leave_unseen(const Code& code, bool shows_jumps) {
  if (!shows_jumps || code.sites->runs_out || code.is_stub) left_unseen_.insert(&code);
  if (!code.sites->is_left_otherwise() && !code.is_stub) return;
  for (uint32_t index : code.reported) (*traced_[index / kChunk])[index % kChunk].is_left_unseen = true;
}

bool CallPoints::may_return_unseen(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  const Code* code = owners_[index]->code;
  if (!code || !left_unseen_.contains(code)) return false;
  PlacedModule caller = placed(pid, return_address, when_ns);
  auto offset = caller.module ? caller.module->elf().offset_of_address(return_address - caller.bias) : std::nullopt;
  return !offset || !seen_behind_.contains({code, caller.module->device(), caller.module->inode(), *offset});
}

bool CallPoints::is_called_there(uint32_t index, Pid pid, uint64_t return_address, uint64_t when_ns) {
  std::lock_guard lock(mutex_);
  const Code* code = owners_[index]->code;
  PlacedModule caller = placed(pid, return_address, when_ns);
  if (!code || !caller.module) return false;
  CalledThere there = caller.module->called_before(return_address - caller.bias);
  if (there.what == CalledThere::What::Import) return means(*there.import, *caller.module, *code);
  return there.what == CalledThere::What::Address && caller.module == code->module && there.address == code->address;
}

// Callers that cannot be found beforehand: calls through pointers, or after a jump. A return address that only looks
// like an instruction belongs to a call that never returns.
std::vector<FunctionCode> CallPoints::behind(uint32_t index, Pid pid, uint64_t return_address) {
  std::lock_guard lock(mutex_);
  const Owner& owner = *owners_[index];
  if (!owner.code || !function(index).is_left_unseen) return {};
  PlacedModule caller = placed(pid, return_address, monotonic_ns());
  if (!caller.module || caller.module->inode() == 0) return {};
  bool may_count = owner.code->is_jumped_to || choice_.calls_from(caller.module->names());
  if (!may_count && !judge(owner, caller, program_of(pid), return_address).reported) return {};
  uint64_t address = return_address - caller.bias;
  auto range = caller.module->functions().range_around(address);
  if (!range || !decode_function(caller.module->functions(), *range).at(address)) return {};
  add_behind(*owner.code, *caller.module, address);
  return take_pending();
}

}  // namespace strut
