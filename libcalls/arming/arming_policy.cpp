#include "libcalls/arming/arming_policy.hpp"

#include "libcalls/modules/call_ways.hpp"

namespace strut {

ImportFacts facts_of(const CallModule& importer, const Import& import) {
  return {.is_of_program = importer.is_main(),
          .is_in_file = importer.inode() != 0,
          .is_go = importer.is_go(),
          .is_jump_slot = import.by == Import::By::JumpSlot,
          .is_canonical = import.is_canonical,
          .returns_oddly = returns_oddly(importer.name_of(import))};
}

bool only_program_counts(const CallChoice& choice, const FilteredModule& callee, std::string_view symbol) {
  FilteredModule other{"", "", false};
  return !choice.calls_from(callee) && !choice.label(symbol, callee, &other, CallWay::Pointer);
}

bool may_be_seen_at_stub(const ImportFacts& import) {
  return import.is_of_program && import.is_jump_slot && !import.returns_oddly;
}

bool may_be_seen_at_stub(const CalleeFacts& callee) {
  return callee.is_elsewhere && callee.is_needed && !callee.is_armed_itself && callee.only_program_counts &&
         callee.is_reported;
}

bool may_be_seen_at_calls(const CallPointsOptions& options, const ImportFacts& import) {
  return options.arms_calls && import.is_of_program && import.is_in_file && !import.is_go && may_return_behind(import);
}

bool may_be_seen_at_calls(const CalleeFacts& callee) { return callee.is_in_file && may_be_seen_at_stub(callee); }

bool may_return_behind(const ImportFacts& import) {
  return import.is_jump_slot && !import.is_canonical && !import.returns_oddly;
}

bool may_replace_return(const ReplaceFacts& facts) {
  if (!facts.is_described) return false;
  if (facts.is_leaf) return true;
  if (facts.is_go || !facts.is_of_library) return false;
  return facts.frame == FrameUse::Own || (facts.frame == FrameUse::MaybeCancelled && !facts.may_be_cancelled);
}

}  // namespace strut
