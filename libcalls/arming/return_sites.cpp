#include "libcalls/arming/return_sites.hpp"

#include "libcalls/modules/call_instructions.hpp"
#include "libcalls/pairing/decode_function.hpp"

namespace strut {

namespace {

/// Functions that jump to each other in turn.
constexpr int kMaxJumps = 8;

}  // namespace

void ReturnSites::take_ways_out(TracedCode& code, uint32_t owner) {
  SiteTable& sites = context_.sites;
  for (const FunctionSite& site : code.sites->ways_out) sites.add_site(*code.module, site, owner);
  const TracedFunction& traced = sites.function(owner);
  jumpers_.push_back({&code, {code.id, traced.desc, traced.may_replace_return, sites.owner(owner).callers}});
}

void ReturnSites::add_behind(const TracedCode& code, const CallModule& caller, uint64_t address) {
  if (!behind_.insert({&caller, &code, address}).second) return;
  auto site = site_on(caller, address, FunctionSite::Kind::Behind);
  for (uint32_t index : code.reported)
    if (site && (code.is_jumped_to || context_.sites.owner(index).has_caller(&caller))) {
      seen_behind_.insert({&code, caller.device(), caller.inode(), site->file_offset});
      return context_.sites.add_site(caller, *site, index);
    }
}

std::unordered_set<uint64_t> ReturnSites::behind_calls_of(const CallModule& caller) const {
  std::unordered_set<uint64_t> behind;
  for (auto one = behind_.lower_bound({&caller, nullptr, 0}); one != behind_.end() && std::get<0>(*one) == &caller;
       ++one)
    behind.insert(std::get<2>(*one));
  return behind;
}

// -- jumps to other functions -----------------------------------------------------------------------------

void ReturnSites::follow_waiting_jumps() {
  std::vector<JumpToFollow> jumps = std::exchange(jumps_to_come_, {});
  bool all = true;
  for (const JumpToFollow& jump : jumps)
    if (!follow_jump(jump, all)) jumps_to_come_.push_back(jump);
}

void ReturnSites::follow_found_jumps() {
  for (const auto& [code, jumper] : std::exchange(jumpers_, {}))
    leave_unseen(*code, trace_jumps(*code->sites, *code->module, jumper, 0));
}

// A function's jump target returns in its stead: its result is seen there. False: not at all targets.
bool ReturnSites::trace_jumps(const FunctionSites& sites, const CallModule& module, const Jumper& jumper, int depth) {
  if (depth == kMaxJumps) return sites.jumps.empty();
  bool all = true;
  for (const JumpOut& jump : sites.jumps) {
    if (jump.target != 0) all = hide(module, jump.target, jumper, depth) && all;
    else if (!jump.import) all = false;
    JumpToFollow through{&module, jump.import, jumper, depth};
    if (jump.import && !follow_jump(through, all)) jumps_to_come_.push_back(through);
  }
  return all;
}

// False: the target of the jump is in no module that is there by now.
bool ReturnSites::follow_jump(const JumpToFollow& jump, bool& all) {
  std::vector<Definition> targets;
  for (const TracedCode* code : context_.calls.meanings(*jump.import))
    targets.insert(targets.end(), code->functions.begin(), code->functions.end());
  for (const PlacedModule& placed : context_.scope->modules())
    if (targets.empty() && placed.module == jump.from) targets = context_.scope->definitions(placed, *jump.import);
  for (const Definition& target : targets)
    all = target.module && hide(*target.module, target.address, jump.jumper, jump.depth) && all;
  return !targets.empty();
}

// A backend that captures memory copies there the memory that the jumper's description asks for. False: not all of its
// returns are seen.
bool ReturnSites::hide(const CallModule& module, uint64_t address, const Jumper& jumper, int depth) {
  TracedCode* code = context_.sites.code_at(module, address);
  // A reported function shows its returns itself, and by its return address much cheaper.
  if (!code || !code->sites) return false;
  if (!code->reported.empty()) return !code->sites->is_left_otherwise();
  auto [known, is_new] = code->hidden.try_emplace({jumper.may_replace, jumper.callers.empty(), jumper.desc});
  if (is_new) known->second = add_hidden(*code, jumper);
  bool is_known = !context_.sites.owner(known->second).jumpers.insert(jumper.code).second;
  return (is_known || trace_jumps(*code->sites, module, jumper, depth + 1)) && !code->sites->runs_out;
}

uint32_t ReturnSites::add_hidden(TracedCode& code, const Jumper& jumper) {
  TracedFunction traced;
  traced.desc = jumper.desc;
  traced.module = code.callee;
  traced.may_replace_return = jumper.may_replace;
  traced.is_go = code.module->is_go_function(code.address);
  traced.is_hidden = true;
  CodeOwner owner;
  owner.code = &code;
  owner.is_reported = false;
  owner.callers = jumper.callers;
  uint32_t index = context_.sites.add_owner(owner, traced);
  for (const FunctionSite& site : code.sites->ways_out) context_.sites.add_site(*code.module, site, index);
  return index;
}

void ReturnSites::leave_unseen(const TracedCode& code, bool shows_jumps) {
  if (!shows_jumps || code.sites->runs_out || code.is_stub) left_unseen_.insert(&code);
  if (!code.sites->is_left_otherwise() && !code.is_stub) return;
  for (uint32_t index : code.reported) context_.sites.leave_unseen(index);
}

// -- after calls ------------------------------------------------------------------------------------------

void ReturnSites::look_behind_calls(const CallModule& caller) {
  if (caller.inode() == 0) return;
  std::unordered_map<const Import*, std::vector<const TracedCode*>> by_import;
  std::unordered_map<uint64_t, const TracedCode*> by_address;
  CalledThings called;
  for (const TracedCode* code : left_unseen_) {
    bool may_call = code->is_wanted_itself || context_.choice.calls_from(caller.names());
    if (!may_call || !looked_behind_.insert({&caller, code}).second) continue;
    for (const Import& import : caller.imports())
      if (context_.calls.means(import, caller, *code))
        by_import[&import].push_back(code), called.imports.insert(&import);
    if (code->module == &caller && code->is_wanted_itself)
      by_address[code->address] = code, called.addresses.insert(code->address);
  }
  for (const CallInstruction& call : calls_of(caller, called).calls) {
    if (!call.import) add_behind(*by_address[call.address], caller, call.returns_to);
    else
      for (const TracedCode* code : by_import[call.import]) add_behind(*code, caller, call.returns_to);
  }
}

void ReturnSites::refused_behind(const TracedCode& code, const FunctionCode& file, const FunctionSite& site) {
  seen_behind_.erase({&code, file.device, file.inode, site.file_offset});
}

bool ReturnSites::are_seen_behind(const TracedCode& code, const PlacedModule& caller, uint64_t return_address) const {
  auto offset = caller.module ? caller.module->elf().offset_of_address(return_address - caller.bias) : std::nullopt;
  return offset && seen_behind_.contains({&code, caller.module->device(), caller.module->inode(), *offset});
}

// -- jumps out of calling modules ----------------------------------------------------------------------------

void ReturnSites::look_for_jumps(const CallModule& caller) {
  if (caller.inode() == 0 || !context_.choice.calls_from(caller.names())) return;
  auto& taken = jumps_taken_[&caller];
  for (const OutwardJump& jump : caller.outward_jumps()) {
    auto meanings = context_.calls.meanings(*jump.import);
    if (meanings.empty()) continue;
    for (TracedCode* code : meanings) code->is_jumped_to = code->is_stub;
    auto site = site_on(caller, jump.address, FunctionSite::Kind::Outward);
    if (site && taken.insert(jump.address).second) add_outward(caller, jump, *site);
  }
}

void ReturnSites::add_outward(const CallModule& caller, const OutwardJump& jump, const FunctionSite& site) {
  TracedFunction traced;
  traced.desc = &unknown_function();
  traced.symbol = caller.name_of(*jump.import);
  traced.module = caller.names().soname;
  traced.wants_returns = false;
  CodeOwner owner;
  owner.is_reported = false;
  owner.outward_from = &caller;
  owner.import = jump.import;
  context_.sites.add_site(caller, site, context_.sites.add_owner(owner, traced));
}

}  // namespace strut
