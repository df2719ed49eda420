#include "dtrace/providers/probe_table.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <unistd.h>

#include "base/close_names.hpp"
#include "pid-provider/pid_pattern.hpp"
#include "pid-provider/watch_pattern.hpp"

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

ProbeTable::ProbeTable(BtfTypes* kernel) {
#define PROVIDER(name) providers_.push_back(make_##name##_provider());
#define KERNEL_PROVIDER(name) \
  if (kernel) providers_.push_back(make_##name##_provider(*kernel));
#define PROCESS_PROVIDER(name) providers_.push_back(make_process_provider(name));
#include "dtrace/providers/providers.inc"
#undef PROCESS_PROVIDER
#undef KERNEL_PROVIDER
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

void ProbeTable::Asked::from(const Provider& provider, const ProbeDescription& description, std::vector<Asked>& all) {
  for (OfferedProbe& probe : provider.asked_for(provider.meant_by(description)))
    all.push_back({std::move(probe), &provider});
}

/// The probes that a description makes exist, whether they do or not.
std::vector<ProbeTable::Asked> ProbeTable::asked(const ProbeDescription& description) const {
  std::vector<Asked> all;
  for (const auto& provider : providers_) Asked::from(*provider, description, all);
  return all;
}

/// A name that no other probe has may be that of a probe which exists only for descriptions with its provider.
std::vector<ProbeTable::Asked> ProbeTable::asked_of_each(ProbeDescription description) const {
  std::vector<Asked> all;
  for (const auto& provider : providers_) {
    description.provider = provider->name();
    Asked::from(*provider, description, all);
  }
  return all;
}

void ProbeTable::add_new(std::vector<Asked> probes) {
  size_t before = known_.size();
  for (Asked& asked : probes) {
    auto same = [&](const Known& known) { return same_names(known.probe, asked.probe); };
    if (std::none_of(known_.begin(), known_.begin() + static_cast<std::ptrdiff_t>(before), same))
      add(std::move(asked.probe), *asked.provider);
  }
}

void ProbeTable::find_all() { add_new(asked_of_each({})); }

std::vector<uint32_t> ProbeTable::find(const ProbeDescription& description) {
  add_new(asked(description));
  std::vector<uint32_t> ids = known_ids(description);
  if (!ids.empty() || !description.provider.empty()) return ids;
  add_new(asked_of_each(description));
  return known_ids(description);
}

std::vector<uint32_t> ProbeTable::known_ids(const ProbeDescription& description) const {
  std::vector<uint32_t> ids;
  for (const Known& known : known_)
    if (fits(description, known)) ids.push_back(known.id);
  return ids;
}

std::optional<std::vector<DArgumentType>> ProbeTable::arguments_of(uint32_t id) const {
  auto known = std::ranges::lower_bound(known_, id, {}, &Known::id);
  bool is_known = known != known_.end() && known->id == id;
  return is_known ? known->provider->arguments(known->probe) : std::nullopt;
}

/// The probes that a description means, whether they exist yet or not.
std::vector<ProbeTable::Asked> ProbeTable::meant_by(const ProbeDescription& probes) const {
  std::vector<Asked> meant;
  for (const Known& known : known_)
    if (fits(probes, known)) meant.push_back({known.probe, known.provider});
  if (meant.empty()) meant = asked(probes);
  if (meant.empty() && probes.provider.empty()) meant = asked_of_each(probes);
  std::erase_if(meant, [&](const Asked& one) { return !matches(one.provider->meant_by(probes), one.probe); });
  return meant;
}

/// Other probes may have the clause, too: a condition is about those of its name.
std::string ProbeTable::condition(const ProbeDescription& probes) const {
  auto may_have = [&](const auto& provider) {
    return provider->has_conditions() && glob_matches(probes.provider, provider->name());
  };
  if (!probes.provider.empty() && std::ranges::none_of(providers_, may_have)) return {};
  std::string all;
  for (const Asked& one : meant_by(probes)) {
    std::string own = one.provider->condition(one.probe);
    if (own.empty()) continue;
    all += std::string(all.empty() ? "" : " && ") + "(probeprov != \"" + one.probe.provider + "\" || probename != \"" +
           one.probe.name + "\" || (" + own + "))";
  }
  return all;
}

std::vector<DSource> ProbeTable::libraries(std::span<const ProbeDescription> descriptions) const {
  std::set<std::string_view> needed;
  for (const ProbeDescription& description : descriptions)
    for (const auto& provider : providers_) needed.insert(provider->library_for(description));
  std::vector<DSource> libraries;
  for (std::string_view library : needed)
    if (!library.empty()) libraries.push_back({.text = std::string(library), .library = "kernel.d"});
  return libraries;
}

std::optional<std::vector<DArgumentType>> ProbeTable::arguments(const ProbeDescription& probes) const {
  std::vector<Asked> meant = meant_by(probes);
  if (is_instr_provider(probes.provider)) return types_of_instr();
  if (is_watch_provider(probes.provider)) return usdt_.of_watch(probes);
  if (meant.empty() && may_be_usdt(probes.provider)) return usdt_.of(probes);
  std::optional<std::vector<DArgumentType>> types;
  for (const Asked& one : meant) {
    std::vector<DArgumentType> its = one.provider->arguments(one.probe).value_or(std::vector<DArgumentType>{});
    if (types && !are_alike(*types, its)) return std::nullopt;
    types = std::move(its);
  }
  return types.value_or(std::vector<DArgumentType>{});
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
