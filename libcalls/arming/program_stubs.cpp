#include "libcalls/arming/program_stubs.hpp"

#include <algorithm>

namespace strut {

TracedCode* ProgramStubs::stand_in(const PlacedModule& importer, const Import& import,
                                   std::span<const Definition> functions) {
  const CallModule& caller = *importer.module;
  ImportFacts facts = facts_of(caller, import);
  auto stub =
      context_.hits_cost_alike && facts.is_of_program && facts.is_jump_slot ? caller.stub_of(import) : std::nullopt;
  if (!stub) return nullptr;
  // Where it is armed already it stays so, whatever another program has had armed since: else one call would come by
  // twice.
  if (TracedCode* known = context_.sites.known_at(&caller, *stub); known && known->is_stub) return known;
  if (!may_be_seen_at_stub(facts) || caller.may_look_up(import)) return nullptr;
  if (!come_by_stub(importer, caller.name_of(import), functions)) return nullptr;
  return &context_.sites.stub_at(caller, *stub, functions, functions.front().module->names().soname);
}

bool ProgramStubs::come_by_stub(const PlacedModule& importer, std::string_view name,
                                std::span<const Definition> functions) {
  return std::ranges::all_of(functions, [&](const Definition& function) {
    return function.module == functions.front().module &&
           may_be_seen_at_stub(context_.facts_of(function, *importer.module, name)) &&
           !is_pointed_to(importer, function);
  });
}

// A call through a pointer does not come by the stub.
bool ProgramStubs::is_pointed_to(const PlacedModule& importer, const Definition& function) {
  auto [pointed_to, is_new] = pointed_to_.try_emplace(importer.module);
  if (is_new)
    for (const Import& import : importer.module->imports())
      if (import.by != Import::By::JumpSlot)
        for (const Definition& other : context_.scope->definitions(importer, import)) pointed_to->second.insert(other);
  return pointed_to->second.contains(function);
}

}  // namespace strut
