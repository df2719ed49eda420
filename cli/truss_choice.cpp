#include "cli/truss_choice.hpp"

#include "core/library_name.hpp"

namespace strut {

namespace {

ModuleRole role_of(const FilteredModule& module) {
  if (module.is_main) return {"a.out", ModuleRole::Kind::Program};
  std::string_view name = library_name(module.soname);
  return {name, name == "ld" ? ModuleRole::Kind::Linker : ModuleRole::Kind::Library};
}

}  // namespace

FunctionWish TrussChoice::wish(std::string_view symbol, const ModuleRole& module) const {
  for (size_t i = 0; i < choices_.size(); i++)
    if (!matched_[i] && names(choices_[i], module, symbol)) matched_[i] = true;
  return wish_for(choices_, module, symbol);
}

/// Calls into libraries come from everywhere.
bool TrussChoice::calls_from(const FilteredModule&) const { return !choices_.empty(); }

bool TrussChoice::looks_into(const FilteredModule& callee) const { return may_trace(choices_, role_of(callee)); }

/// Functions that are wanted wherever they are called from: those that are offered to others are found by who imports them.
bool TrussChoice::defined(std::string_view symbol, const FilteredModule& callee) const {
  FunctionWish wanted = wish(symbol, role_of(callee));
  return wanted.traced && wanted.internal;
}

std::optional<FunctionLabel> TrussChoice::label(std::string_view symbol, const FilteredModule& callee, const FilteredModule* caller,
                                                CallWay way) const {
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
  std::vector<std::string> texts;
  for (size_t i = 0; i < choices_.size(); i++)
    if (!matched_[i] && !choices_[i].libraries.excluded) texts.push_back(choices_[i].text);
  return texts;
}

}  // namespace strut
