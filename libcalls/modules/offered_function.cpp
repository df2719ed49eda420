#include "libcalls/modules/offered_function.hpp"

#include <algorithm>

namespace strut {

OfferedFunction offered_function(const Definition& at) {
  OfferedFunction made{at, {}};
  std::vector<uint64_t> addresses = at.module->chosen_by(at.address);
  addresses.push_back(at.address);
  for (const Symbol& symbol : at.module->exports().all())
    if (std::ranges::find(addresses, symbol.address) != addresses.end()) made.names.push_back(symbol.name);
  return made;
}

std::vector<bool> pointed_to(const CallModule& by, std::span<const OfferedFunction> functions, bool looks_up) {
  std::vector<bool> found;
  for (const OfferedFunction& function : functions) {
    bool is_own = function.at.module == &by;
    // A module need not look up its own functions.
    auto has = [&](std::string_view name) { return by.points_to(name) || (looks_up && !is_own && by.names(name)); };
    found.push_back((is_own && by.points_to(function.at.address)) || std::ranges::any_of(function.names, has));
  }
  return found;
}

}  // namespace strut
