// CallPoints: sites of returns that are not seen by a return address.
//
// The function's own returns are hit for all callers: libraries call each other a million times, each a single-step of
// a uprobe. Where the program alone counts, and names all its calls of a function, returns are seen after those.
#include <algorithm>

#include "libcalls/arming/call_points_parts.hpp"
#include "libcalls/modules/call_ways.hpp"

namespace strut {

void CallPoints::decide_returns(const CallModule& caller, std::span<const Undecided> undecided,
                                const NamedCalls& named) {
  for (const Undecided& one : undecided) {
    std::vector<const Import*> by = ways_to(caller, *one.code);
    bool is_behind = named.unpointed.contains(one.code->function()) && may_return_behind(caller, by) &&
                     std::ranges::all_of(by, [&](const Import* import) { return named.all_return(import); });
    if (!is_behind) {
      take_ways_out(*one.code, one.owner);
      continue;
    }
    owners_[one.owner]->returns_behind = true;
    assumed_[&caller].functions.push_back(
        {offered_function(one.code->function()), one.code->names.front(), one.code, one.owner});
    for (const Import* import : by)
      for (const CallInstruction& call : named.of(import)) add_behind(*one.code, caller, call.returns_to);
  }
}

/// The imports by which a module may call it.
std::vector<const Import*> CallPoints::ways_to(const CallModule& caller, const Code& code) const {
  std::vector<const Import*> ways;
  for (const Import& import : caller.imports())
    if (auto meant = meant_.find(&import);
        meant != meant_.end() && std::ranges::find(meant->second, &code) != meant->second.end())
      ways.push_back(&import);
  return ways;
}

/// `ways`: the imports by which the module may call it.
bool CallPoints::may_return_behind(const CallModule& caller, std::span<const Import* const> ways) const {
  if (ways.empty()) return false;
  auto names_its_calls = [&](const Import* import) {
    bool is_named = import->by == Import::By::JumpSlot && !import->is_canonical && !caller.may_look_up(*import) &&
                    !returns_oddly(caller.name_of(*import));
    // A function that jumps away returns elsewhere.
    return is_named && !is_jumped_to(caller, *import);
  };
  return std::ranges::all_of(ways, names_its_calls);
}

}  // namespace strut
