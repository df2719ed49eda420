// CallPoints: where returns are seen that nobody sees by a return address.
//
// At the function's own returns everybody comes by: of libraries that call each other a million times, each a step of a uprobe. Where
// the program alone counts, and names all its calls of a function, they are seen behind those.
#include <algorithm>
#include <map>

#include "calls/call_instructions.hpp"
#include "calls/call_points_parts.hpp"
#include "calls/call_ways.hpp"

namespace strut {

void CallPoints::decide_returns() {
  std::vector<Undecided> all = std::exchange(undecided_, {});
  std::ranges::stable_sort(all, {}, &Undecided::caller);
  for (std::span<const Undecided> rest(all); !rest.empty();) {
    auto same = [&](const Undecided& one) { return one.caller == rest.front().caller; };
    auto count = static_cast<size_t>(std::ranges::find_if_not(rest, same) - rest.begin());
    decide_returns(*rest.front().caller, rest.first(count));
    rest = rest.subspan(count);
  }
}

void CallPoints::decide_returns(const CallModule& caller, std::span<const Undecided> undecided) {
  std::map<const Code*, std::vector<const Import*>> ways;
  for (const Import& import : caller.imports())
    if (auto meant = meant_.find(&import); meant != meant_.end())
      for (const Code* code : meant->second) ways[code].push_back(&import);
  std::vector<OfferedFunction> offered;
  for (const Undecided& one : undecided) offered.push_back(offered_function(one.code->function()));
  std::vector<bool> pointed = is_pointed_to(caller, offered);
  CalledThings called;
  for (size_t i = 0; const Undecided& one : undecided)
    if (!pointed[i++] && may_return_behind(caller, ways[one.code])) called.imports.insert(ways[one.code].begin(), ways[one.code].end());
  FoundCalls found = calls_of(caller, called);
  std::map<const Import*, std::vector<uint64_t>> places;
  for (const CallInstruction& call : found.calls) {
    places[call.import].push_back(call.returns_to);
    auto site = site_on(caller, call.returns_to, FunctionSite::Kind::Behind);
    if (!site || !site->uprobe_offset) found.unclear.insert(call.import);
  }
  for (const Undecided& one : undecided) {
    const std::vector<const Import*>& by = ways[one.code];
    auto is_clear = [&](const Import* import) { return called.imports.contains(import) && !found.unclear.contains(import); };
    if (by.empty() || !std::ranges::all_of(by, is_clear)) {
      take_ways_out(*one.code, one.owner);
      continue;
    }
    owners_[one.owner]->returns_behind = true;
    assumed_[&caller].functions.push_back({offered_function(one.code->function()), one.code->names.front(), one.code, one.owner});
    for (const Import* import : by)
      for (uint64_t place : places[import]) add_behind(*one.code, caller, place);
  }
}

/// `ways`: the imports by which the module may call it.
bool CallPoints::may_return_behind(const CallModule& caller, std::span<const Import* const> ways) const {
  if (ways.empty()) return false;
  auto names_its_calls = [&](const Import* import) {
    bool is_named = import->by == Import::By::JumpSlot && !import->is_canonical && !caller.may_look_up(*import) &&
                    !returns_oddly(caller.name_of(*import));
    // What is jumped to returns elsewhere.
    return is_named && std::ranges::find(caller.outward_jumps(), import, &OutwardJump::import) == caller.outward_jumps().end();
  };
  return std::ranges::all_of(ways, names_its_calls);
}

}  // namespace strut
