#include "cli/truss/choice.hpp"

#include <algorithm>

#include "base/library_name.hpp"

namespace strut {

namespace {

ModuleRole role_of(const FilteredModule& module) {
  if (module.is_main) return {"a.out", ModuleRole::Kind::Program};
  std::string_view name = library_name(module.soname);
  return {name, name == "ld" ? ModuleRole::Kind::Linker : ModuleRole::Kind::Library};
}

}  // namespace

TrussChoice::TrussChoice(std::vector<FunctionChoice> choices) : choices_(std::move(choices)) {
  for (const FunctionChoice& choice : choices_)
    matched_.emplace_back(std::max<size_t>(1, choice.functions.patterns.size()));
}

void TrussChoice::note(std::string_view symbol, const ModuleRole& module) const {
  seen_.add_function(symbol);
  seen_.add_module(module.name);
  for (size_t i = 0; i < choices_.size(); i++) {
    if (!names(choices_[i], module, symbol)) continue;
    const std::vector<std::string>& patterns = choices_[i].functions.patterns;
    if (patterns.empty() || choices_[i].libraries.excluded) matched_[i].assign(matched_[i].size(), true);
    for (size_t k = 0; k < patterns.size(); k++)
      if (PatternList{{patterns[k]}, false}.names(symbol)) matched_[i][k] = true;
  }
}

FunctionWish TrussChoice::wish(std::string_view symbol, const ModuleRole& module) const {
  note(symbol, module);
  return wish_for(choices_, module, symbol);
}

/// Calls into libraries come from everywhere.
bool TrussChoice::calls_from(const FilteredModule&) const { return !choices_.empty(); }

bool TrussChoice::looks_into(const FilteredModule& callee) const { return may_trace(choices_, role_of(callee)); }

/// Functions that are wanted for all callers: exported ones are found by their importers.
bool TrussChoice::defined(std::string_view symbol, const FilteredModule& callee) const {
  FunctionWish wanted = wish(symbol, role_of(callee));
  return wanted.traced && wanted.internal;
}

std::optional<FunctionLabel> TrussChoice::label(std::string_view symbol, const FilteredModule& callee,
                                                const FilteredModule* caller, CallWay way) const {
  FunctionWish wanted = wish(symbol, role_of(callee));
  if (!wanted.traced) return std::nullopt;
  bool from_within = caller ? caller->path == callee.path : way == CallWay::Direct;
  if (from_within && !wanted.internal) return std::nullopt;
  return callee.is_main ? FunctionLabel::Name : FunctionLabel::Module;
}

bool TrussChoice::stops(const FunctionCall& call) const {
  FilteredModule callee{call.module, call.module, call.label == FunctionLabel::Name};
  return wish_for(choices_, role_of(callee), call.symbol).stops;
}

std::vector<std::string> TrussChoice::unmatched() const {
  std::vector<std::string> lines;
  if (seen_.none()) return lines;
  for (size_t i = 0; i < choices_.size(); i++) {
    const FunctionChoice& choice = choices_[i];
    if (choice.libraries.excluded || std::ranges::find(matched_[i], false) == matched_[i].end()) continue;
    std::string near;
    for (const std::string& library : choice.libraries.patterns) near += seen_.nearest_module(library);
    const std::string rest = "' names no function of what was traced";
    bool is_in_part = std::ranges::find(matched_[i], true) != matched_[i].end();
    for (size_t k = 0; k < choice.functions.patterns.size(); k++) {
      if (matched_[i][k]) continue;
      const std::string& name = choice.functions.patterns[k];
      if (is_in_part) lines.push_back("'" + name + "' of '" + choice.text + rest + seen_.nearest_function(name));
      else if (near.empty()) near = seen_.nearest_function(name);
    }
    if (!is_in_part) lines.push_back("'" + choice.text + rest + near);
  }
  return lines;
}

}  // namespace strut
