// CallPoints: functions that are seen where the program's PLT goes to them, not where they are.
//
// Libraries call each other's functions and their own: half a million times in a second of libcrypto's. Where only the
// program's calls count, breakpoints at the functions would stop threads there for nothing. By its PLT only its calls
// come.
#include <algorithm>

#include "libcalls/arming/call_points_parts.hpp"
#include "libcalls/modules/call_ways.hpp"

namespace strut {

// nullptr: calls may come another way than by the stub.
CallPoints::Code* CallPoints::stand_in(const PlacedModule& importer, const Import& import,
                                       std::span<const Definition> functions) {
  const CallModule& caller = *importer.module;
  if (!takes_stubs_ || !caller.is_main() || import.by != Import::By::JumpSlot) return nullptr;
  auto stub = caller.stub_of(import);
  // Where it is armed already it stays so, whatever another program has had armed since: else one call would come by
  // twice.
  if (auto known = stub ? codes_.find({&caller, *stub}) : codes_.end(); known != codes_.end() && known->second->is_stub)
    return known->second.get();
  std::string_view name = caller.name_of(import);
  if (!stub || caller.may_look_up(import) || returns_oddly(name)) return nullptr;
  FilteredModule from = caller.names();
  auto comes_by_stub = [&](const Definition& function) {
    bool is_elsewhere = function.module && function.module != &caller && function.module == functions.front().module;
    return is_elsewhere && scope_->is_needed(*function.module) && !is_armed_itself(function) &&
           choice_.label(name, function.module->names(), &from, CallWay::Import) &&
           only_program_counts(*function.module, name) && !is_pointed_to(importer, function);
  };
  if (!std::ranges::all_of(functions, comes_by_stub)) return nullptr;
  return stub_code(caller, *stub, functions, functions.front().module->names().soname);
}

bool CallPoints::is_armed_itself(const Definition& function) const {
  auto known = codes_.find({function.module, function.address});
  return known != codes_.end() && (known->second->is_wanted_itself || !known->second->reported.empty());
}

// A call through a pointer does not come by the stub.
bool CallPoints::is_pointed_to(const PlacedModule& importer, const Definition& function) {
  auto [pointed_to, is_new] = pointed_to_.try_emplace(importer.module);
  if (is_new)
    for (const Import& import : importer.module->imports())
      if (import.by != Import::By::JumpSlot)
        for (const Definition& other : scope_->definitions(importer, import))
          pointed_to->second.insert({other.module, other.address});
  return pointed_to->second.contains({function.module, function.address});
}

}  // namespace strut
