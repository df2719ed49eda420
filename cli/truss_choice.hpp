// What -u and -U of truss choose of the calls that a process makes.
#pragma once

#include <string>
#include <vector>

#include "calls/call_choice.hpp"
#include "cli/truss_functions.hpp"
#include "core/function.hpp"

namespace strut {

/// Library functions are labelled with their module, the program's own are not.
class TrussChoice final : public CallChoice {
 public:
  explicit TrussChoice(std::vector<FunctionChoice> choices) : choices_(std::move(choices)), matched_(choices_.size()) {}

  bool calls_from(const FilteredModule& caller) const override;
  bool looks_into(const FilteredModule& callee) const override;
  bool defined(std::string_view symbol, const FilteredModule& callee) const override;
  std::optional<FunctionLabel> label(std::string_view symbol, const FilteredModule& callee, const FilteredModule* caller,
                                     CallWay way) const override;

  /// Whether a call leaves its process stopped (-U).
  bool stops(const FunctionCall& call) const;
  /// Choices that named no function of any module that was looked at, as they were typed.
  std::vector<std::string> unmatched() const;

 private:
  FunctionWish wish(std::string_view symbol, const ModuleRole& module) const;

  std::vector<FunctionChoice> choices_;
  mutable std::vector<bool> matched_;
};

}  // namespace strut
