// CallPoints: functions that are seen where the program calls them, not where they are.
//
// A uprobe on an instruction that the kernel cannot emulate, as at most functions' beginnings, is a single-step for
// every call: a library's own calls are many more than the program's. The kernel emulates a call instruction. So where
// the program alone counts, names all of its calls of a function, and has no other way to it, those instructions are
// armed, and the instructions after them. It is assumed to have no other way as long as no module in its processes is
// seen to have a pointer to the function; the code below handles pointers that appear later.
#include <algorithm>
#include <functional>
#include <set>

#include "libcalls/arming/call_points_parts.hpp"
#include "libcalls/modules/call_ways.hpp"

namespace strut {

namespace {

/// `call` with a relative address and no prefix.
constexpr uint64_t kPlainCall = 5;

bool is_plain(const CallInstruction& call) { return call.returns_to - call.begins == kPlainCall; }

}  // namespace

// -- which -----------------------------------------------------------------------------------------------

/// To be called before its calls are looked for, and pointers to it.
bool CallPoints::may_arm_calls(const PlacedModule& importer, const Import& import,
                               std::span<const Definition> functions) {
  const CallModule& caller = *importer.module;
  std::string_view name = caller.name_of(import);
  bool is_named = options_.arms_calls && !takes_stubs_ && caller.is_main() && !caller.is_go() && caller.inode() != 0 &&
                  import.by == Import::By::JumpSlot && !import.is_canonical && !returns_oddly(name);
  // An earlier different decision stays: one site reports a call.
  if (!is_named || !caller.stub_of(import) || meant_.contains(&import) || is_jumped_to(caller, import)) return false;
  FilteredModule from = caller.names();
  return std::ranges::all_of(functions, [&](const Definition& function) {
    if (!function.module || function.module == &caller || function.module->inode() == 0) return false;
    if (!scope_->is_needed(*function.module) || is_armed_itself(function) ||
        !only_program_counts(*function.module, name))
      return false;
    if (!choice_.label(name, function.module->names(), &from, CallWay::Import)) return false;
    return is_dear(*code_at(*function.module, function.address), name);
  });
}

/// For callers other than the program: the entry is single-stepped, or with children, where callers are distinguished
/// only afterwards, each return.
bool CallPoints::is_dear(const Code& code, std::string_view name) {
  if (!code.sites) return false;
  bool has_dear_returns = options_.follow && !may_replace(code, *prototypes_.of(name, *code.module, code.address));
  return code.sites->is_entry_dear || has_dear_returns;
}

/// The calls are armed already. In this process the import may resolve to another function than before.
bool CallPoints::has_armed_calls(const CallModule& caller, const Import& import,
                                 std::span<const Definition> functions) {
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

// -- both: which calls are armed, and behind which a return is seen -------------------------------------------------

void CallPoints::decide() {
  std::vector<Candidate> candidates = std::exchange(candidates_, {});
  std::set<const CallModule*> programs;
  for (const Candidate& one : candidates) programs.insert(one.importer.module);
  for (const Undecided& one : undecided_) programs.insert(one.caller);
  for (const CallModule* program : programs) {
    auto is_others = [&](const Candidate& one) { return one.importer.module != program; };
    auto own = std::ranges::partition(candidates, is_others);
    decide(*program, own);
  }
}

void CallPoints::decide(const CallModule& caller, std::span<const Candidate> candidates) {
  std::vector<OfferedFunction> offered;
  for (const Candidate& one : candidates)
    for (const Definition& function : one.functions) offered.push_back(offered_function(function));
  for (const Undecided& one : undecided_)
    if (one.caller == &caller) offered.push_back(offered_function(one.code->function()));
  NamedCalls named;
  std::vector<bool> pointed = is_pointed_to(caller, offered);
  for (size_t i = 0; i < offered.size(); i++)
    if (!pointed[i]) named.unpointed.insert(offered[i].at);
  CalledThings called;
  auto is_unpointed = [&](const Definition& function) { return named.unpointed.contains(function); };
  for (const Candidate& one : candidates)
    if (std::ranges::all_of(one.functions, is_unpointed)) called.imports.insert(one.import);
  for (const Undecided& one : undecided_) {
    if (one.caller != &caller || !is_unpointed(one.code->function())) continue;
    std::vector<const Import*> ways = ways_to(caller, *one.code);
    if (may_return_behind(caller, ways)) called.imports.insert(ways.begin(), ways.end());
  }
  named.look(caller, std::move(called));
  decide_calls(caller, candidates, named);
  std::vector<Undecided> undecided;
  std::erase_if(undecided_,
                [&](const Undecided& one) { return one.caller == &caller && (undecided.push_back(one), true); });
  decide_returns(caller, undecided, named);
}

void CallPoints::NamedCalls::look(const CallModule& caller, CalledThings things) {
  FoundCalls found = calls_of(caller, things);
  named = std::move(things.imports);
  for (const CallInstruction& call : found.calls) {
    calls[call.import].push_back(call);
    auto site = site_on(caller, call.returns_to, FunctionSite::Kind::Behind);
    if (!site || !site->uprobe_offset) found.unclear.insert(call.import);
  }
  for (const Import* import : found.unclear) named.erase(import);
}

void CallPoints::decide_calls(const CallModule& caller, std::span<const Candidate> candidates,
                              const NamedCalls& named) {
  std::unordered_set<uint64_t> behind;
  for (auto one = behind_.lower_bound({&caller, nullptr, 0}); one != behind_.end() && std::get<0>(*one) == &caller;
       ++one)
    behind.insert(std::get<2>(*one));
  // The latest site of an instruction is hit first, and the site after a call must come before that of the next call.
  auto takes_probe = [&](const CallInstruction& call) {
    return !behind.contains(call.begins) && may_arm_call(caller, call);
  };
  for (const Candidate& one : candidates) {
    std::span<const CallInstruction> calls = named.of(one.import);
    bool is_named = named.all_return(one.import) && !calls.empty() && std::ranges::all_of(calls, takes_probe);
    if (is_named) arm_calls(one, calls);
    else take_where_it_is(one.importer, *one.import, one.functions);
  }
}

bool CallPoints::may_arm_call(const CallModule& caller, const CallInstruction& call) const {
  auto site = is_plain(call) ? site_on(caller, call.begins, FunctionSite::Kind::Entry) : std::nullopt;
  return site && site->uprobe_offset;
}

void CallPoints::arm_calls(const Candidate& candidate, std::span<const CallInstruction> calls) {
  const CallModule& caller = *candidate.importer.module;
  std::span<const Definition> functions = candidate.functions;
  Code& code = *stub_code(caller, *caller.stub_of(*candidate.import), functions.first(1),
                          functions.front().module->names().soname);
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

// -- pointers to a function ------------------------------------------------------------------------------

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

// Modules that came since the last look may have new pointers.
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

// At the function itself, besides: calls by the program's own instructions are reported by those.
void CallPoints::see_every_call(const CallModule& program, const Unpointed& one) {
  if (one.code && std::exchange(owners_[one.owner]->returns_behind, false)) return take_ways_out(*one.code, one.owner);
  if (Code* code = one.code ? nullptr : code_at(*one.function.at.module, one.function.at.address))
    want(*code, one.name, &program);
}

}  // namespace strut
