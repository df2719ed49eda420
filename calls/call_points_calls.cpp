// CallPoints: functions that are seen where the program calls them, not where they are.
//
// A uprobe on what the kernel cannot emulate, as most functions begin with, is a step for everybody who comes by: a library's own calls
// are many more than the program's. The kernel emulates a call instruction. So where the program alone counts, names all of its calls
// of a function, and has no other way to it, those instructions are armed, and what is behind them. That it has no other way is taken
// for granted as long as no module in its processes is seen to have a pointer to the function: what if one comes later, is below.
#include <algorithm>
#include <map>

#include "calls/call_instructions.hpp"
#include "calls/call_points_parts.hpp"
#include "calls/call_ways.hpp"

namespace strut {

namespace {

/// `call` with a relative address and no prefix.
constexpr uint64_t kPlainCall = 5;

bool is_plain(const CallInstruction& call) { return call.returns_to - call.begins == kPlainCall; }

}  // namespace

// -- which -----------------------------------------------------------------------------------------------

/// Before its calls are looked for, and whether anybody points to it.
bool CallPoints::may_arm_calls(const PlacedModule& importer, const Import& import, std::span<const Definition> functions) {
  const CallModule& caller = *importer.module;
  std::string_view name = caller.name_of(import);
  bool is_named = options_.arms_calls && !takes_stubs_ && caller.is_main() && !caller.is_go() && caller.inode() != 0 &&
                  import.by == Import::By::JumpSlot && !import.is_canonical && !returns_oddly(name);
  // Where it was taken otherwise before it stays so: one call is told by one site.
  if (!is_named || !caller.stub_of(import) || meant_.contains(&import)) return false;
  FilteredModule from = caller.names();
  return std::ranges::all_of(functions, [&](const Definition& function) {
    if (!function.module || function.module == &caller || function.module->inode() == 0) return false;
    if (!scope_->is_needed(*function.module) || is_armed_itself(function) || !only_program_counts(*function.module, name)) return false;
    if (!choice_.label(name, function.module->names(), &from, CallWay::Import)) return false;
    const Code* code = code_at(*function.module, function.address);
    return code->sites && code->sites->is_entry_dear;
  });
}

/// Its calls are armed already. What it means in this process may be another function than it was.
bool CallPoints::has_armed_calls(const CallModule& caller, const Import& import, std::span<const Definition> functions) {
  auto meant = meant_.find(&import);
  if (meant == meant_.end() || meant->second.front()->calls.empty()) return false;
  Code& code = *meant->second.front();
  for (const Definition& function : functions)
    if (function.module && std::ranges::find(code.functions, function) == code.functions.end()) {
      Unpointed one = stand_for(code, function, caller.name_of(import));
      if (is_pointed_to(caller, {&one.function, 1}).front()) see_every_call(caller, one), code.sites->runs_out = true;
      else assumed_[&caller].functions.push_back(std::move(one));
    }
  return true;
}

CallPoints::Unpointed CallPoints::stand_for(Code& code, const Definition& function, std::string_view name) {
  code.functions.push_back(function);
  const Code* itself = code_at(*function.module, function.address);
  code.sites->runs_out |= !itself || !itself->sites || itself->sites->is_left_otherwise();
  return {offered_function(function), name, nullptr, 0};
}

void CallPoints::decide_calls(const PlacedModule& importer, const Scope& scope) {
  const CallModule& caller = *importer.module;
  std::vector<Candidate> candidates = std::exchange(candidates_, {});
  if (candidates.empty()) return;
  CalledThings called;
  std::vector<OfferedFunction> offered;
  for (const Candidate& one : candidates) {
    called.imports.insert(one.import);
    for (const Definition& function : one.functions) offered.push_back(offered_function(function));
  }
  FoundCalls found = calls_of(caller, called);
  std::map<const Import*, std::vector<CallInstruction>> places;
  for (const CallInstruction& call : found.calls) places[call.import].push_back(call);
  std::vector<bool> pointed = is_pointed_to(caller, offered);
  std::unordered_set<uint64_t> behind;
  for (auto one = behind_.lower_bound({&caller, nullptr, 0}); one != behind_.end() && std::get<0>(*one) == &caller; ++one)
    behind.insert(std::get<2>(*one));
  auto at = pointed.begin();
  for (const Candidate& one : candidates) {
    auto end = at + static_cast<ptrdiff_t>(one.functions.size());
    const std::vector<CallInstruction>& calls = places[one.import];
    bool names_all = !calls.empty() && !found.unclear.contains(one.import) && std::none_of(at, end, std::identity());
    at = end;
    // Of sites of one instruction the latest is hit first, and what is behind a call has to come before the next call.
    auto takes_probes = [&](const CallInstruction& call) { return !behind.contains(call.begins) && may_arm_call(caller, call); };
    if (names_all && std::ranges::all_of(calls, takes_probes)) arm_calls(importer, one, calls);
    else take_where_it_is(importer, *one.import, one.functions, scope);
  }
}

bool CallPoints::may_arm_call(const CallModule& caller, const CallInstruction& call) const {
  if (!is_plain(call)) return false;
  auto site = site_on(caller, call.begins, FunctionSite::Kind::Entry), behind = site_on(caller, call.returns_to, FunctionSite::Kind::Behind);
  return site && site->uprobe_offset && behind && behind->uprobe_offset;
}

void CallPoints::arm_calls(const PlacedModule& importer, const Candidate& candidate, std::span<const CallInstruction> calls) {
  const CallModule& caller = *importer.module;
  std::span<const Definition> functions = candidate.functions;
  Code& code = *stub_code(caller, *caller.stub_of(*candidate.import), functions.first(1), functions.front().module->names().soname);
  // Where it comes to be armed itself, its returns end these calls.
  code.id = code_at(*functions.front().module, functions.front().address)->id;
  code.functions.clear();
  code.sites.emplace();
  std::string_view name = caller.name_of(*candidate.import);
  for (const Definition& function : functions) assumed_[&caller].functions.push_back(stand_for(code, function, name));
  for (const CallInstruction& call : calls) {
    auto site = site_on(caller, call.begins, FunctionSite::Kind::Entry);
    site->call_bytes = static_cast<uint8_t>(kPlainCall);
    code.calls.push_back(*site);
  }
  mean(caller, *candidate.import, code);
  for (const CallInstruction& call : calls) add_behind(code, caller, call.returns_to);
}

// -- who points to it -------------------------------------------------------------------------------------

std::vector<bool> CallPoints::is_pointed_to(const CallModule& program, std::span<const OfferedFunction> functions) {
  std::vector<bool> found(functions.size());
  if (functions.empty()) return found;
  for (const CallModule* module : assumed_[&program].beside) {
    std::vector<bool> by = pointed_to(*module, functions, looks_up(program, *module));
    std::transform(found.begin(), found.end(), by.begin(), found.begin(), std::logical_or());
  }
  return found;
}

// A library may look a name up that the program gives it.
bool CallPoints::looks_up(const CallModule& program, const CallModule& module) const {
  if (module.looks_names_up()) return true;
  auto assumed = assumed_.find(&program);
  return &module == &program && assumed != assumed_.end() && assumed->second.names_are_looked_up;
}

// What has come since the last look may have pointers that nobody had then.
void CallPoints::look_for_pointers(const CallModule& program) {
  Assumed& assumed = assumed_[&program];
  std::vector<const CallModule*> fresh;
  for (const PlacedModule& placed : scope_->modules())
    if (assumed.beside.insert(placed.module).second) fresh.push_back(placed.module);
  bool names_are_looked_up = std::ranges::any_of(fresh, &CallModule::looks_names_up);
  if (names_are_looked_up && !std::exchange(assumed.names_are_looked_up, true)) fresh.push_back(&program);
  for (const CallModule* module : fresh) {
    std::vector<OfferedFunction> functions;
    for (const Unpointed& one : assumed.functions) functions.push_back(one.function);
    std::vector<bool> pointed = pointed_to(*module, functions, looks_up(program, *module));
    auto at = pointed.begin();
    std::erase_if(assumed.functions, [&](const Unpointed& one) {
      bool is_pointed = *at++;
      if (is_pointed) see_every_call(program, one);
      return is_pointed;
    });
  }
}

// Where it is, besides: what the program's own instructions call is told by those.
void CallPoints::see_every_call(const CallModule& program, const Unpointed& one) {
  if (one.code && std::exchange(owners_[one.owner]->returns_behind, false)) return take_ways_out(*one.code, one.owner);
  if (Code* code = one.code ? nullptr : code_at(*one.function.at.module, one.function.at.address)) want(*code, one.name, &program);
}

}  // namespace strut
