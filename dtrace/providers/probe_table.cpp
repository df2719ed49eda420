#include "dtrace/providers/probe_table.hpp"

#include <algorithm>

#include <unistd.h>

#include "base/close_names.hpp"
#include "pid-provider/pid_pattern.hpp"

namespace strut {
namespace {

const std::string& field_of(const OfferedProbe& probe, ProbeField field) {
  switch (field) {
    case ProbeField::Provider: return probe.provider;
    case ProbeField::Module: return probe.module;
    case ProbeField::Function: return probe.function;
    case ProbeField::Name: break;
  }
  return probe.name;
}

std::string& field_of(ProbeDescription& description, ProbeField field) {
  switch (field) {
    case ProbeField::Provider: return description.provider;
    case ProbeField::Module: return description.module;
    case ProbeField::Function: return description.function;
    case ProbeField::Name: break;
  }
  return description.name;
}

bool same_names(const OfferedProbe& a, const OfferedProbe& b) {
  return a.provider == b.provider && a.module == b.module && a.function == b.function && a.name == b.name;
}

bool matches(const ProbeDescription& description, const OfferedProbe& probe) {
  return matches(description, ProbeDescription{probe.provider, probe.module, probe.function, probe.name});
}

}  // namespace

ProbeTable::ProbeTable() {
#define PROVIDER(name) providers_.push_back(make_##name##_provider());
#include "dtrace/providers/providers.inc"
#undef PROVIDER
  for (const auto& provider : providers_)
    for (OfferedProbe& probe : provider->all()) add(std::move(probe), *provider);
}

void ProbeTable::add(OfferedProbe probe, const Provider& provider) {
  uint32_t id = take_id();
  known_.push_back({std::move(probe), &provider, id});
  by_id_[id] = &known_.back().probe;
}

bool ProbeTable::fits(const ProbeDescription& description, const Known& known) const {
  return matches(known.provider->meant_by(description), known.probe);
}

std::vector<uint32_t> ProbeTable::find(const ProbeDescription& description) {
  for (const auto& provider : providers_)
    for (OfferedProbe& asked : provider->asked_for(provider->meant_by(description))) {
      auto same = [&](const Known& known) { return same_names(known.probe, asked); };
      if (std::ranges::none_of(known_, same)) add(std::move(asked), *provider);
    }
  std::vector<uint32_t> ids;
  for (const Known& known : known_)
    if (fits(description, known)) ids.push_back(known.id);
  return ids;
}

std::optional<std::vector<DArgumentType>> ProbeTable::arguments_of(uint32_t id) const {
  for (const Known& known : known_)
    if (known.id == id) return known.provider->arguments(known.probe);
  return std::nullopt;
}

std::optional<std::vector<DArgumentType>> ProbeTable::arguments(const ProbeDescription& probes) const {
  std::optional<std::vector<DArgumentType>> types;
  for (const Known& known : known_) {
    if (!fits(probes, known)) continue;
    std::vector<DArgumentType> its = known.provider->arguments(known.probe).value_or(std::vector<DArgumentType>{});
    if (types && !are_alike(*types, its)) return std::nullopt;
    types = std::move(its);
  }
  if (types) return types;
  std::vector<DArgumentType> none;
  for (const auto& provider : providers_)
    for (const OfferedProbe& asked : provider->asked_for(provider->meant_by(probes)))
      return provider->arguments(asked).value_or(none);
  if (may_be_usdt(probes.provider)) return usdt_.of(probes);
  return none;
}

bool ProbeTable::has_provider(std::string_view name) const {
  return std::ranges::any_of(providers_, [&](const auto& provider) { return glob_matches(name, provider->name()); });
}

bool ProbeTable::has(DOption::Kind kind, std::string_view name) const {
  if (kind == DOption::Kind::Provider) return has_provider(name);
  std::string module = "/sys/module/" + std::string(name);
  return name == "vmlinux" || ::access(module.c_str(), F_OK) == 0;
}

std::vector<std::string> ProbeTable::names(const ProbeDescription& description, ProbeField field, size_t most) const {
  ProbeDescription others = description;
  field_of(others, field).clear();
  std::vector<std::string> names;
  for (const Known& known : known_) {
    const std::string& name = field_of(known.probe, field);
    if (!fits(others, known) || std::ranges::find(names, name) != names.end()) continue;
    if (names.size() == most) return {};
    names.push_back(name);
  }
  return names;
}

std::vector<std::string> ProbeTable::close_names(const ProbeDescription& description, ProbeField field) const {
  ProbeDescription others = description;
  std::string name = std::exchange(field_of(others, field), "");
  std::vector<std::string_view> names;
  for (const Known& known : known_)
    if (fits(others, known)) names.push_back(field_of(known.probe, field));
  return strut::close_names(name, names);
}

}  // namespace strut
