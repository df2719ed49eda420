#include "cli/dtrace/list.hpp"

#include "cli/common/message.hpp"
#include "cli/dtrace/stability.hpp"
#include "formatters/dtrace/rows.hpp"

namespace strut {
namespace {

using Types = std::optional<std::vector<DArgumentType>>;

void details_into(std::string& out, const Types& types, const DProbe& probe) {
  out += probe_stability(probe) + "\n\tArgument Types\n";
  if (!types || types->empty()) out += "\t\tNone\n";
  for (size_t i = 0; types && i < types->size(); i++)
    out += "\t\targs[" + std::to_string(i) + "]: " + (*types)[i].type + '\n';
  out += '\n';
}

/// Types by probe: statically defined ones and those of instr and watch, which alone have types among probes of
/// processes.
std::vector<Types> types_in(const PidFound& found) {
  std::vector<Types> types(found.probes.size());
  for (const DFiring& firing : found.code.firings)
    if (firing.kind == DFiring::Kind::Operands)
      types[firing.probe] = is_instr_provider(found.probes[firing.probe].provider)
                                ? types_of_instr()
                                : types_of(found.code.operands[firing.offset]);
  for (const FoundWatch& watch : found.watches)
    types[watch.probe] = types_of_watch(watch.range.access == WatchAccess::Execute ? uint8_t{0} : watch.range.bytes);
  return types;
}

void line_into(std::string& out, const Types& types, const DProbe& probe, ListStyle style) {
  out += dtrace_list_line(probe.id, probe.provider, printable(probe.module), printable(probe.function), probe.name);
  if (style == ListStyle::WithDetails) details_into(out, types, probe);
}

}  // namespace

std::string list_all(const ProbeTable& table, ListStyle style) {
  std::string out = dtrace_list_heading();
  for (uint32_t id = 1; table.has(id); id++) {
    const OfferedProbe& probe = table.at(id);
    line_into(out, table.arguments_of(id), {id, probe.provider, probe.module, probe.function, probe.name, {}, {}},
              style);
  }
  return out;
}

std::string list_found(const ProbeTable& table, Enabling& enabling, ListStyle style) {
  std::string out = dtrace_list_heading();
  for (const DProbe& probe : enabling.fixed()) line_into(out, table.arguments_of(probe.id), probe, style);
  for (const PidFound& found : enabling.found()) {
    std::vector<Types> types = types_in(found);
    for (size_t i = 0; i < found.probes.size(); i++) line_into(out, types[i], found.probes[i], style);
  }
  return out;
}

}  // namespace strut
