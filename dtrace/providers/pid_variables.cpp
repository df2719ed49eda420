#include "dtrace/providers/pid_variables.hpp"

namespace strut {
namespace {

std::expected<PidPattern, Complaint> pattern_of(const ProbeDescription& probes) {
  // Names of offsets with mnemonics are those of a program with -x opcode.
  return is_about_instructions(probes) ? instr_pattern(probes) : pid_pattern(probes, true);
}

/// "walk+0x1c of a.out".
std::string place_text(const ProbeList& list, const PidProbe& probe, const ProbeSite& site, std::string_view module) {
  const ProbedFunction& function = list.functions[probe.function];
  uint64_t offset = site.address - function.range.begin;
  bool is_within = function.range.contains(site.address);
  return (is_within ? std::string(function.name) + (offset != 0 ? "+0x" + hexadecimal(offset) : "")
                    : "0x" + hexadecimal(site.address)) +
         " of " + std::string(module);
}

}  // namespace

PidVariables::Looked::Looked(const PidModule& module)
    : file(module.file), module_name(module.name()), functions(*module.file), variables(*module.file, module.names()) {}

PidVariables::Looked& PidVariables::looked_at(const PidModule& module) {
  auto& looked = looked_[{module.file.get(), module.is_program}];
  if (!looked) looked = std::make_unique<Looked>(module);
  return *looked;
}

std::expected<std::vector<PidVariables::Sites>*, std::string> PidVariables::sites_of(const ProbeDescription& probes) {
  auto [known, is_new] = sites_.try_emplace(probes.text());
  if (!is_new) return &known->second;
  auto pattern = pattern_of(probes);
  if (!pattern) return std::unexpected(pattern.error().text);
  if (pattern->place == PidPattern::Place::Absolute)
    return std::unexpected("a probe at an address of a process has no variables");
  bool is_one = pattern->processes == PidPattern::Processes::One;
  for (const PidModule& module : is_one ? modules_.of(pattern->pid) : modules_.of_all(pattern->module)) {
    if (!module_matches(pattern->module, module.names())) continue;
    Looked& looked = looked_at(module);
    Sites sites{&looked, {}};
    if (!add_probes(looked.functions, *pattern, {}, sites.list)) continue;
    if (!sites.list.probes.empty()) known->second.push_back(std::move(sites));
  }
  return &known->second;
}

/// The variable at the sites of one file.
std::expected<void, std::string> PidVariables::add(const Sites& sites, std::string_view name, DTypes& types,
                                                   std::optional<DProgramVariableType>& into) {
  const Looked& looked = *sites.looked;
  for (const PidProbe& probe : sites.list.probes)
    for (uint32_t i = probe.first_site; i < probe.first_site + probe.sites; i++) {
      const ProbeSite& site = sites.list.sites[i];
      std::string place = place_text(sites.list, probe, site, looked.module_name);
      auto found = looked.variables.at({site.address, probe.kind}, name);
      if (!found) return std::unexpected("at " + place + ": " + found.error());
      DProgramVariableType made{dwarf_.type(types, looked.file->prototypes(), found->type), found->is_address};
      if (made.type == nullptr) return std::unexpected("at " + place + ": D has no such type");
      if (into && (!is_same(*into->type, *made.type) || into->is_address != made.is_address))
        return std::unexpected("at " + place + " it has type " + made.type->name + ", and elsewhere " +
                               into->type->name);
      into = made;
    }
  return {};
}

std::expected<DProgramVariableType, std::string> PidVariables::of(const ProbeDescription& probes, std::string_view name,
                                                                  DTypes& types) {
  if (!is_about_pid(probes) && !is_about_instructions(probes)) return std::unexpected("Unknown symbol name");
  auto sites = sites_of(probes);
  if (!sites) return std::unexpected(sites.error());
  std::optional<DProgramVariableType> found;
  for (const Sites& one : **sites)
    if (auto added = add(one, name, types, found); !added) return std::unexpected(added.error());
  if (!found) return std::unexpected("no site of " + probes.text() + " is known yet");
  return *found;
}

}  // namespace strut
