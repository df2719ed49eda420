#include "calls/filtered_choice.hpp"

#include <algorithm>

#include "core/close_names.hpp"

namespace strut {

namespace {

/// What crt1.o and crtbegin.o call.
constexpr std::string_view kStartup[] = {"__libc_start_main", "__cxa_finalize", "__gmon_start__"};

/// More names than this are not kept for suggestions.
constexpr size_t kMostNames = 50'000;

/// The first name and the first module of a filter's text, without patterns' signs.
struct Written {
  std::string_view symbol, module;
};
Written written(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  text = text.substr(0, text.find('+'));
  size_t at = text.find('@');
  return {text.substr(0, at), at == std::string_view::npos ? std::string_view() : text.substr(at + 1)};
}

std::string suggestion(std::string_view name, const std::set<std::string, std::less<>>& known) {
  if (name.empty() || name.find_first_of("*?[/") != std::string_view::npos || known.contains(name)) return {};
  std::vector<std::string_view> names(known.begin(), known.end());
  std::string text;
  for (const auto& close : close_names(name, names)) text += (text.empty() ? "; nearest: " : ", ") + std::string(close);
  return text;
}

bool may(const std::vector<NamedFilter>& filters, const FilteredModule& module) {
  return std::ranges::any_of(filters, [&](const NamedFilter& one) { return one.filter.may_match(module); });
}

}  // namespace

FilteredChoice::FilteredChoice(CallFilters filters) : filters_(std::move(filters)) {}

void FilteredChoice::offer(std::string_view symbol, const FilteredModule& module) const {
  if (symbols_.size() < kMostNames && !symbols_.contains(symbol)) symbols_.emplace(symbol);
  if (!modules_.contains(module.soname)) modules_.emplace(module.soname);
}

bool FilteredChoice::any(const std::vector<NamedFilter>& filters, std::string_view symbol, const FilteredModule& module) const {
  bool found = false;
  for (const NamedFilter& one : filters) {
    if (found && matched_.contains(&one)) continue;
    if (!one.filter.matches(symbol, module)) continue;
    found = true;
    matched_.insert(&one);
  }
  return found;
}

bool FilteredChoice::calls_from(const FilteredModule& caller) const {
  if (!modules_.contains(caller.soname)) modules_.emplace(caller.soname);
  return may(filters_.calls, caller) && (filters_.callers.empty() || may(filters_.callers, caller));
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
  return any(filters_.calls, symbol, caller) && (filters_.libraries.empty() || any(filters_.libraries, symbol, callee));
}

std::optional<FunctionLabel> FilteredChoice::label(std::string_view symbol, const FilteredModule& callee, const FilteredModule* caller,
                                                   CallWay way) const {
  if (way == CallWay::Import) offer(symbol, callee);
  if (!filters_.callees.empty() && !any(filters_.callees, symbol, callee)) return std::nullopt;
  if (!filters_.callers.empty() && (!caller || !any(filters_.callers, symbol, *caller))) return std::nullopt;
  if (caller && way != CallWay::Direct && called(symbol, callee, *caller)) return filters_.calls_label;
  if (any(filters_.symbols, symbol, callee)) return FunctionLabel::Module;
  return std::nullopt;
}

std::vector<std::string> FilteredChoice::unmatched() const {
  struct Option {
    const char* name;
    const std::vector<NamedFilter>& filters;
  };
  std::vector<std::string> lines;
  if (modules_.empty()) return lines;  // there was no process to look at
  for (const Option& option : {Option{"-e", filters_.calls}, {"-x", filters_.symbols}, {"-l", filters_.libraries},
                               {"--caller", filters_.callers}, {"--callee", filters_.callees}})
    for (const NamedFilter& one : option.filters) {
      if (matched_.contains(&one)) continue;
      Written name = written(option.name == std::string_view("-l") ? "@" + one.text : one.text);
      std::string near = suggestion(name.symbol, symbols_) + suggestion(name.module == "MAIN" ? "" : name.module, modules_);
      lines.push_back(std::string(option.name) + " '" + one.text + "' matches no function" + near);
    }
  return lines;
}

}  // namespace strut
