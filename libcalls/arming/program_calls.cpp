#include "libcalls/arming/program_calls.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "libcalls/modules/call_ways.hpp"

namespace strut {

namespace {

/// `call` with a relative address and no prefix.
constexpr uint64_t kPlainCall = 5;

bool may_arm_call(const CallModule& caller, const CallInstruction& call) {
  bool is_plain = call.returns_to - call.begins == kPlainCall;
  auto site = is_plain ? site_on(caller, call.begins, FunctionSite::Kind::Entry) : std::nullopt;
  return site && site->uprobe_offset;
}

/// `ways`: the imports by which the module may call the function. One that jumps away returns elsewhere.
bool may_all_return_behind(const CallModule& caller, std::span<const Import* const> ways) {
  return !ways.empty() && std::ranges::all_of(ways, [&](const Import* import) {
    return may_return_behind(facts_of(caller, *import)) && !caller.may_look_up(*import) &&
           !is_jumped_to(caller, *import);
  });
}

}  // namespace

// -- which -----------------------------------------------------------------------------------------------

bool ProgramCalls::take(const PlacedModule& importer, const Import& import, std::span<const Definition> functions) {
  if (has_armed_calls(*importer.module, import, functions)) return true;
  if (!may_arm_calls(importer, import, functions)) return false;
  candidates_.push_back({importer, &import, {functions.begin(), functions.end()}});
  return true;
}

/// To be called before its calls are looked for, and pointers to it.
bool ProgramCalls::may_arm_calls(const PlacedModule& importer, const Import& import,
                                 std::span<const Definition> functions) {
  const CallModule& caller = *importer.module;
  if (context_.hits_cost_alike || !may_be_seen_at_calls(context_.options, facts_of(caller, import))) return false;
  // An earlier different decision stays: one site reports a call.
  if (!caller.stub_of(import) || !context_.calls.meanings(import).empty() || is_jumped_to(caller, import)) return false;
  std::string_view name = caller.name_of(import);
  return std::ranges::all_of(functions, [&](const Definition& function) {
    return may_be_seen_at_calls(context_.facts_of(function, caller, name)) &&
           is_dear(*context_.sites.code_at(*function.module, function.address), name);
  });
}

/// For callers other than the program: the entry is single-stepped, or with children, where callers are distinguished
/// only afterwards, each return.
bool ProgramCalls::is_dear(const TracedCode& code, std::string_view name) {
  if (!code.sites) return false;
  bool has_dear_returns =
      context_.options.follow && !context_.may_replace(code, *context_.prototypes.of(name, *code.module, code.address));
  return code.sites->is_entry_dear || has_dear_returns;
}

/// The calls are armed already. In this process the import may resolve to another function than before.
bool ProgramCalls::has_armed_calls(const CallModule& caller, const Import& import,
                                   std::span<const Definition> functions) {
  auto meanings = context_.calls.meanings(import);
  if (meanings.empty() || meanings.front()->calls.empty()) return false;
  TracedCode& code = *meanings.front();
  for (const Definition& function : functions)
    if (function.module && std::ranges::find(code.functions, function) == code.functions.end()) {
      Unpointed one = stand_for(code, function, caller.name_of(import));
      if (is_pointed_to(caller, {&one.function, 1}).front()) see_every_call(caller, one), code.sites->runs_out = true;
      else assumed_[&caller].functions.push_back(std::move(one));
    }
  return true;
}

ProgramCalls::Unpointed ProgramCalls::stand_for(TracedCode& code, const Definition& function, std::string_view name) {
  code.functions.push_back(function);
  const TracedCode* itself = context_.sites.code_at(*function.module, function.address);
  code.sites->runs_out |= !itself || !itself->sites || itself->sites->is_left_otherwise();
  return {offered_function(function), name, nullptr, 0};
}

// -- both: which calls are armed, and behind which a return is seen -------------------------------------------------

void ProgramCalls::decide() {
  std::vector<Candidate> candidates = std::exchange(candidates_, {});
  std::set<const CallModule*> programs;
  for (const Candidate& one : candidates) programs.insert(one.importer.module);
  for (const WantedFunctions::Undecided& one : wanted_.undecided()) programs.insert(one.caller);
  for (const CallModule* program : programs) {
    auto is_others = [&](const Candidate& one) { return one.importer.module != program; };
    auto own = std::ranges::partition(candidates, is_others);
    decide(*program, own);
  }
}

void ProgramCalls::decide(const CallModule& caller, std::span<const Candidate> candidates) {
  NamedCalls named = named_calls(caller, candidates);
  decide_calls(caller, candidates, named);
  decide_returns(caller, named);
}

ProgramCalls::NamedCalls ProgramCalls::named_calls(const CallModule& caller, std::span<const Candidate> candidates) {
  std::vector<OfferedFunction> offered;
  for (const Candidate& one : candidates)
    for (const Definition& function : one.functions) offered.push_back(offered_function(function));
  for (const WantedFunctions::Undecided& one : wanted_.undecided())
    if (one.caller == &caller) offered.push_back(offered_function(one.code->function()));
  NamedCalls named;
  std::vector<bool> pointed = is_pointed_to(caller, offered);
  for (size_t i = 0; i < offered.size(); i++)
    if (!pointed[i]) named.unpointed.insert(offered[i].at);
  CalledThings called;
  auto is_unpointed = [&](const Definition& function) { return named.is_unpointed(function); };
  for (const Candidate& one : candidates)
    if (std::ranges::all_of(one.functions, is_unpointed)) called.imports.insert(one.import);
  for (const WantedFunctions::Undecided& one : wanted_.undecided()) {
    if (one.caller != &caller || !is_unpointed(one.code->function())) continue;
    std::vector<const Import*> ways = ways_to(caller, *one.code);
    if (may_all_return_behind(caller, ways)) called.imports.insert(ways.begin(), ways.end());
  }
  named.look(caller, std::move(called));
  return named;
}

void ProgramCalls::NamedCalls::look(const CallModule& caller, CalledThings things) {
  FoundCalls found = calls_of(caller, things);
  named = std::move(things.imports);
  for (const CallInstruction& call : found.calls) {
    calls[call.import].push_back(call);
    auto site = site_on(caller, call.returns_to, FunctionSite::Kind::Behind);
    if (!site || !site->uprobe_offset) found.unclear.insert(call.import);
  }
  for (const Import* import : found.unclear) named.erase(import);
}

std::span<const CallInstruction> ProgramCalls::NamedCalls::of(const Import* import) const {
  auto found = calls.find(import);
  return found == calls.end() ? std::span<const CallInstruction>{} : found->second;
}

void ProgramCalls::decide_calls(const CallModule& caller, std::span<const Candidate> candidates,
                                const NamedCalls& named) {
  // The latest site of an instruction is hit first, and the site after a call must come before that of the next call.
  std::unordered_set<uint64_t> behind = returns_.behind_calls_of(caller);
  auto takes_probe = [&](const CallInstruction& call) {
    return !behind.contains(call.begins) && may_arm_call(caller, call);
  };
  for (const Candidate& one : candidates) {
    std::span<const CallInstruction> calls = named.of(one.import);
    bool is_named = named.all_return(one.import) && !calls.empty() && std::ranges::all_of(calls, takes_probe);
    if (is_named) arm_calls(one, calls);
    else wanted_.take_where_it_is(one.importer, *one.import, one.functions);
  }
}

void ProgramCalls::arm_calls(const Candidate& candidate, std::span<const CallInstruction> calls) {
  const CallModule& caller = *candidate.importer.module;
  std::span<const Definition> functions = candidate.functions;
  const Definition& first = functions.front();
  TracedCode& code = context_.sites.stub_at(caller, *caller.stub_of(*candidate.import), functions.first(1),
                                            first.module->names().soname);
  // Where it comes to be armed itself, its returns end these calls.
  code.id = context_.sites.code_at(*first.module, first.address)->id;
  code.functions.clear();
  code.sites.emplace();
  std::string_view name = caller.name_of(*candidate.import);
  for (const Definition& function : functions) assumed_[&caller].functions.push_back(stand_for(code, function, name));
  for (const CallInstruction& call : calls) {
    auto site = site_on(caller, call.begins, FunctionSite::Kind::Entry);
    site->call_bytes = static_cast<uint8_t>(kPlainCall);
    code.calls.push_back(*site);
  }
  wanted_.mean(caller, *candidate.import, code);
  for (const CallInstruction& call : calls) returns_.add_behind(code, caller, call.returns_to);
}

void ProgramCalls::decide_returns(const CallModule& caller, const NamedCalls& named) {
  for (const WantedFunctions::Undecided& one : wanted_.take_undecided(caller)) {
    std::vector<const Import*> by = ways_to(caller, *one.code);
    bool is_behind = named.is_unpointed(one.code->function()) && may_all_return_behind(caller, by) &&
                     std::ranges::all_of(by, [&](const Import* import) { return named.all_return(import); });
    if (!is_behind) {
      returns_.take_ways_out(*one.code, one.owner);
      continue;
    }
    context_.sites.owner(one.owner).returns_behind = true;
    assumed_[&caller].functions.push_back(
        {offered_function(one.code->function()), one.code->names.front(), one.code, one.owner});
    for (const Import* import : by)
      for (const CallInstruction& call : named.of(import)) returns_.add_behind(*one.code, caller, call.returns_to);
  }
}

/// The imports by which a module may call it.
std::vector<const Import*> ProgramCalls::ways_to(const CallModule& caller, const TracedCode& code) const {
  std::vector<const Import*> ways;
  for (const Import& import : caller.imports())
    if (auto meanings = context_.calls.meanings(import); std::ranges::find(meanings, &code) != meanings.end())
      ways.push_back(&import);
  return ways;
}

// -- pointers to a function ------------------------------------------------------------------------------

std::vector<bool> ProgramCalls::is_pointed_to(const CallModule& program, std::span<const OfferedFunction> functions) {
  std::vector<bool> found(functions.size());
  if (functions.empty()) return found;
  for (const CallModule* module : assumed_[&program].beside) {
    std::vector<bool> by = pointed_to(*module, functions, looks_up(program, *module));
    std::transform(found.begin(), found.end(), by.begin(), found.begin(), std::logical_or());
  }
  return found;
}

// A library may look a name up that the program gives it.
bool ProgramCalls::looks_up(const CallModule& program, const CallModule& module) const {
  if (module.looks_names_up()) return true;
  auto assumed = assumed_.find(&program);
  return &module == &program && assumed != assumed_.end() && assumed->second.names_are_looked_up;
}

void ProgramCalls::look_for_pointers(const CallModule& program) {
  Assumed& assumed = assumed_[&program];
  std::vector<const CallModule*> fresh;
  for (const PlacedModule& placed : context_.scope->modules())
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
void ProgramCalls::see_every_call(const CallModule& program, const Unpointed& one) {
  if (one.code && std::exchange(context_.sites.owner(one.owner).returns_behind, false))
    return returns_.take_ways_out(*one.code, one.owner);
  TracedCode* code = one.code ? nullptr : context_.sites.code_at(*one.function.at.module, one.function.at.address);
  if (code) wanted_.want(*code, one.name, &program);
}

}  // namespace strut
