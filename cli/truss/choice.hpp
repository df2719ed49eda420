// The calls that truss's -u and -U choose.
#pragma once

#include <string>
#include <vector>

#include "cli/truss/functions.hpp"
#include "libcalls/arming/call_choice.hpp"
#include "libcalls/modules/seen_names.hpp"
#include "syscalls/function.hpp"

namespace strut {

/// Library functions are labelled with their module, the program's own are not.
class TrussChoice final : public CallChoice {
 public:
  explicit TrussChoice(std::vector<FunctionChoice> choices);

  bool calls_from(const FilteredModule& caller) const override;
  bool looks_into(const FilteredModule& callee) const override;
  bool defined(std::string_view symbol, const FilteredModule& callee) const override;
  std::optional<FunctionLabel> label(std::string_view symbol, const FilteredModule& callee,
                                     const FilteredModule* caller, CallWay way) const override;

  /// Whether a call leaves its process stopped (-U).
  bool stops(const FunctionCall& call) const;
  /// Choices, and names in their lists of functions, that matched no function of any module, a line each with a
  /// suggestion.
  std::vector<std::string> unmatched() const;

 private:
  void note(std::string_view symbol, const ModuleRole& module) const;
  FunctionWish wish(std::string_view symbol, const ModuleRole& module) const;

  std::vector<FunctionChoice> choices_;
  mutable std::vector<std::vector<bool>> matched_;  ///< by choice and pattern of its functions; without patterns one
  mutable SeenNames seen_;
};

}  // namespace strut
