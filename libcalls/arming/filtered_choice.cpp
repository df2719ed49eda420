#include "libcalls/arming/filtered_choice.hpp"

#include <algorithm>

namespace strut {

namespace {

/// Functions that crt1.o and crtbegin.o call.
constexpr std::string_view kStartup[] = {"__libc_start_main", "__cxa_finalize", "__gmon_start__"};

bool may(const std::vector<NamedFilter>& filters, const FilteredModule& module) {
  return std::ranges::any_of(filters, [&](const NamedFilter& one) { return one.filter.may_match(module); });
}

}  // namespace

FilteredChoice::FilteredChoice(CallFilters filters) : filters_(std::move(filters)) {}

void FilteredChoice::offer(std::string_view symbol, const FilteredModule& module) const {
  seen_.add_function(symbol);
  seen_.add_module(module.soname);
}

bool FilteredChoice::any(const std::vector<NamedFilter>& filters, std::string_view symbol,
                         const FilteredModule& module) const {
  bool found = false;
  for (const NamedFilter& one : filters) {
    Matched& matched = matched_[&one];
    one.filter.note(symbol, module, matched.rules);
    if ((found && matched.is_all) || !one.filter.matches(symbol, module)) continue;
    found = matched.is_all = true;
  }
  return found;
}

bool FilteredChoice::calls_from(const FilteredModule& caller) const {
  seen_.add_module(caller.soname);
  bool may_call = !filters_.libraries.empty() || may(filters_.calls, caller);
  return may_call && (filters_.callers.empty() || may(filters_.callers, caller));
}

bool FilteredChoice::looks_into(const FilteredModule& callee) const {
  return may(filters_.symbols, callee) && (filters_.callees.empty() || may(filters_.callees, callee));
}

bool FilteredChoice::defined(std::string_view symbol, const FilteredModule& callee) const {
  offer(symbol, callee);
  return any(filters_.symbols, symbol, callee) && (filters_.callees.empty() || any(filters_.callees, symbol, callee));
}

bool FilteredChoice::called(std::string_view symbol, const FilteredModule& callee, const FilteredModule& caller) const {
  if (filters_.leaves_out_startup && std::ranges::find(kStartup, symbol) != std::end(kStartup)) return false;
  bool by_name = any(filters_.calls, symbol, caller), by_library = any(filters_.libraries, symbol, callee);
  return by_name || by_library;
}

std::optional<FunctionLabel> FilteredChoice::label(std::string_view symbol, const FilteredModule& callee,
                                                   const FilteredModule* caller, CallWay way) const {
  if (way == CallWay::Import) offer(symbol, callee);
  if (!filters_.callees.empty() && !any(filters_.callees, symbol, callee)) return std::nullopt;
  if (!filters_.callers.empty() && (!caller || !any(filters_.callers, symbol, *caller))) return std::nullopt;
  if (caller && way != CallWay::Direct && called(symbol, callee, *caller)) return filters_.calls_label;
  if (any(filters_.symbols, symbol, callee)) return callee.is_main ? FunctionLabel::Name : FunctionLabel::Module;
  return std::nullopt;
}

std::vector<std::string> FilteredChoice::unmatched() const {
  struct Option {
    const char* name;
    const std::vector<NamedFilter>& filters;
  };
  std::vector<std::string> lines;
  if (seen_.none()) return lines;
  auto say = [&](const Option& option, std::string_view text, const std::string& near) {
    lines.push_back(std::string(option.name) + " '" + std::string(text) + "' matches no function" + near);
  };
  for (const Option& option : {Option{"-e", filters_.calls},
                               {"-x", filters_.symbols},
                               {"-l", filters_.libraries},
                               {"--caller", filters_.callers},
                               {"--callee", filters_.callees}})
    for (const NamedFilter& one : option.filters) {
      const Matched& matched = matched_[&one];
      std::vector<SymbolFilter::RuleText> rules = one.filter.unnoted(matched.rules);
      bool is_one_rule = one.filter.adding_rules() == 1;
      for (const SymbolFilter::RuleText& rule : rules)
        say(option, is_one_rule ? one.text : rule.text,
            seen_.nearest_function(rule.symbol) + seen_.nearest_module(rule.module));
      if (rules.empty() && !matched.is_all) say(option, one.text, "");
    }
  return lines;
}

}  // namespace strut
