// Shared by the parts that decide where calls are seen, while a process is looked at.
#pragma once

#include "libcalls/arming/arming_policy.hpp"
#include "libcalls/arming/call_attribution.hpp"
#include "libcalls/arming/site_table.hpp"
#include "libcalls/modules/arming_complaints.hpp"
#include "libcalls/modules/scope.hpp"
#include "libcalls/prototypes/prototype_search.hpp"

namespace strut {

struct ArmingContext {
  const CallChoice& choice;
  PrototypeSearch& prototypes;
  const CallPointsOptions options;
  SiteTable& sites;
  CallAttribution& calls;
  ArmingComplaints& complaints;
  bool hits_cost_alike = false;   ///< FunctionPoints::hits_cost_alike()
  bool may_be_cancelled = false;  ///< a module that was seen may cancel threads
  Scope* scope = nullptr;         ///< of the process that is looked at; nullptr: none is

  bool only_program_counts(const CallModule& callee, std::string_view symbol) const {
    return strut::only_program_counts(choice, callee.names(), symbol);
  }
  CalleeFacts facts_of(const Definition& function, const CallModule& caller, std::string_view name) const;
  bool may_replace(const TracedCode& code, const FunctionDesc& desc) const;
};

}  // namespace strut
