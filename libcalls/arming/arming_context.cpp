#include "libcalls/arming/arming_context.hpp"

#include "libcalls/prototypes/function_table.hpp"

namespace strut {

/// `function`: what an import of `caller` with this name may mean.
CalleeFacts ArmingContext::facts_of(const Definition& function, const CallModule& caller, std::string_view name) const {
  if (!function.module || function.module == &caller) return {};
  FilteredModule from = caller.names();
  return {.is_elsewhere = true,
          .is_in_file = function.module->inode() != 0,
          .is_needed = scope->is_needed(*function.module),
          .is_armed_itself = sites.is_armed_itself(function),
          .only_program_counts = only_program_counts(*function.module, name),
          .is_reported = choice.label(name, function.module->names(), &from, CallWay::Import).has_value()};
}

bool ArmingContext::may_replace(const TracedCode& code, const FunctionDesc& desc) const {
  return may_replace_return({.is_described = code.sites->is_described,
                             .is_leaf = code.sites->is_leaf,
                             .is_go = code.module->is_go(),
                             .is_of_library = library_of(desc) == code.callee,
                             .frame = desc.frame,
                             .may_be_cancelled = may_be_cancelled});
}

}  // namespace strut
