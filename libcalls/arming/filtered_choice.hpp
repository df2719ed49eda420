// The choice of ltrace's filters (ltrace(1): -e, -x, -l), and of strut's own filters of callers and callees.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "libcalls/arming/call_choice.hpp"
#include "libcalls/arming/symbol_filter.hpp"
#include "libcalls/modules/seen_names.hpp"

namespace strut {

/// A filter with the option's argument that it was made of.
struct NamedFilter {
  std::string text;
  SymbolFilter filter;
};

struct CallFilters {
  std::vector<NamedFilter> calls;                   ///< -e: by the module that calls
  std::vector<NamedFilter> symbols;                 ///< -x: by the module that has the function
  std::vector<NamedFilter> libraries;               ///< -l: calls from anywhere into these, beside those of `calls`
  std::vector<NamedFilter> callers;                 ///< of all: only calls from these modules; empty: from all
  std::vector<NamedFilter> callees;                 ///< only calls into these; empty: all
  FunctionLabel calls_label = FunctionLabel::Name;  ///< for the choice of `calls`
  /// For `calls`: without the calls that the compiler adds at a program's ends.
  bool leaves_out_startup = false;
};

/// Also remembers the offered functions, for messages that a filter matched nothing.
class FilteredChoice final : public CallChoice {
 public:
  explicit FilteredChoice(CallFilters filters);

  bool calls_from(const FilteredModule& caller) const override;
  bool looks_into(const FilteredModule& callee) const override;
  bool defined(std::string_view symbol, const FilteredModule& callee) const override;
  std::optional<FunctionLabel> label(std::string_view symbol, const FilteredModule& callee,
                                     const FilteredModule* caller, CallWay way) const override;

  /// Filters, and rules of filters, that have matched nothing so far, a line each with a suggestion.
  std::vector<std::string> unmatched() const;

 private:
  bool called(std::string_view symbol, const FilteredModule& callee, const FilteredModule& caller) const;
  /// As SymbolFilter::matches() of any; those that do are remembered.
  bool any(const std::vector<NamedFilter>& filters, std::string_view symbol, const FilteredModule& module) const;
  void offer(std::string_view symbol, const FilteredModule& module) const;

  CallFilters filters_;
  /// The parts of a filter that have matched: the whole, and each of its rules.
  struct Matched {
    bool is_all = false;
    std::vector<bool> rules;
  };
  mutable std::map<const NamedFilter*, Matched> matched_;
  mutable SeenNames seen_;
};

}  // namespace strut
