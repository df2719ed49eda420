// PidProbes: where the program's variables are that clauses name.
#include <map>
#include <set>

#include "dtrace/providers/probe_making.hpp"

namespace strut {

/// As indexes into DProgram::program_variables.
std::vector<uint32_t> PidProbes::variables_of(std::span<const uint32_t> clauses) const {
  std::set<uint32_t> named;
  for (uint32_t clause : clauses)
    for (uint32_t variable : program_variables_of(program_, program_.clauses[clause])) named.insert(variable);
  return {named.begin(), named.end()};
}

/// A variable without a place at a site, of code that was not known to the compiler, faults where it is used. The probe
/// of such a point sits on its own instruction, where registers are as debug information says.
void PidProbes::place_variables(Making& making) {
  if (program_.program_variables.empty()) return;
  SiteVariables variables(*making.module.file, making.module.names());
  auto& operands = making.found.code.operands;
  std::map<uint32_t, std::vector<uint32_t>> by_set;
  for (Making::Point& point : making.points) {
    uint32_t set = making.sets[point.firing.probe];
    auto [slot, is_new] = by_set.try_emplace(set);
    if (is_new) slot->second = variables_of(sets_.of(set));
    const std::vector<uint32_t>& named = slot->second;
    if (named.empty() || point.site.address == 0) continue;
    point.firing.variables = static_cast<uint32_t>(operands.size());
    auto& row = operands.emplace_back(program_.program_variables.size());
    for (uint32_t number : named) {
      const DProgramVariable& variable = program_.program_variables[number];
      auto placed = variables.at(point.site, variable.name);
      if (placed && placed->is_address == variable.is_address) row[number] = placed->operand;
    }
    making.stay(point);
  }
}

}  // namespace strut
