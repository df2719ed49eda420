#include "cli/dtrace/list.hpp"

#include "cli/common/message.hpp"
#include "formatters/dtrace/rows.hpp"

namespace strut {
namespace {

void arguments_into(std::string& out, const ProbeTable& table, uint32_t id) {
  auto types = table.arguments_of(id);
  out += "\n\tArgument Types\n";
  if (!types || types->empty()) out += "\t\tNone\n";
  for (size_t i = 0; types && i < types->size(); i++)
    out += "\t\targs[" + std::to_string(i) + "]: " + (*types)[i].type + '\n';
  out += '\n';
}

void line_into(std::string& out, const ProbeTable& table, const DProbe& probe, ListStyle style) {
  out += dtrace_list_line(probe.id, probe.provider, printable(probe.module), printable(probe.function), probe.name);
  if (style == ListStyle::WithArguments) arguments_into(out, table, probe.id);
}

}  // namespace

std::string list_all(const ProbeTable& table, ListStyle style) {
  std::string out = dtrace_list_heading();
  for (uint32_t id = 1; table.has(id); id++) {
    const OfferedProbe& probe = table.at(id);
    line_into(out, table, {id, probe.provider, probe.module, probe.function, probe.name, {}, {}}, style);
  }
  return out;
}

std::string list_found(const ProbeTable& table, Enabling& enabling, ListStyle style) {
  std::string out = dtrace_list_heading();
  for (const DProbe& probe : enabling.fixed()) line_into(out, table, probe, style);
  for (const PidFound& found : enabling.found())
    for (const DProbe& probe : found.probes) line_into(out, table, probe, style);
  return out;
}

}  // namespace strut
