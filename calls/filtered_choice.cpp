#include "calls/filtered_choice.hpp"

#include <algorithm>

namespace strut {

namespace {

bool any(const std::vector<NamedFilter>& filters, std::string_view symbol, const FilteredModule& module) {
  return std::ranges::any_of(filters, [&](const NamedFilter& one) { return one.filter.matches(symbol, module); });
}

bool none_or_any(const std::vector<NamedFilter>& filters, std::string_view symbol, const FilteredModule& module) {
  return filters.empty() || any(filters, symbol, module);
}

bool may(const std::vector<NamedFilter>& filters, const FilteredModule& module) {
  return std::ranges::any_of(filters, [&](const NamedFilter& one) { return one.filter.may_match(module); });
}

}  // namespace

FilteredChoice::FilteredChoice(CallFilters filters) : filters_(std::move(filters)) {}

bool FilteredChoice::calls_from(const FilteredModule& caller) const {
  return may(filters_.calls, caller) && (filters_.callers.empty() || may(filters_.callers, caller));
}

bool FilteredChoice::looks_into(const FilteredModule& callee) const {
  return may(filters_.symbols, callee) && (filters_.callees.empty() || may(filters_.callees, callee));
}

bool FilteredChoice::defined(std::string_view symbol, const FilteredModule& callee) const {
  return any(filters_.symbols, symbol, callee) && none_or_any(filters_.callees, symbol, callee);
}

bool FilteredChoice::called(std::string_view symbol, const FilteredModule& callee, const FilteredModule& caller) const {
  return any(filters_.calls, symbol, caller) && none_or_any(filters_.libraries, symbol, callee);
}

std::optional<FunctionLabel> FilteredChoice::label(std::string_view symbol, const FilteredModule& callee, const FilteredModule* caller,
                                                   CallWay way) const {
  if (!none_or_any(filters_.callees, symbol, callee)) return std::nullopt;
  if (caller ? !none_or_any(filters_.callers, symbol, *caller) : !filters_.callers.empty()) return std::nullopt;
  if (caller && way != CallWay::Direct && called(symbol, callee, *caller)) return filters_.calls_label;
  if (any(filters_.symbols, symbol, callee)) return FunctionLabel::Module;
  return std::nullopt;
}

}  // namespace strut
