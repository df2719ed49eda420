#include "dtrace/providers/usdt_types.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "dlang/language/builtin.hpp"
#include "pid-provider/usdt_sites.hpp"
#include "pid-provider/watch_pattern.hpp"

namespace strut {

std::vector<DArgumentType> types_of(std::span<const SiteOperand> operands) {
  std::vector<DArgumentType> types;
  for (const SiteOperand& one : operands.first(std::min<size_t>(operands.size(), kDArguments)))
    types.push_back({.type = (one.is_signed ? "int" : "uint") + std::to_string(one.bytes * 8) + "_t"});
  return types;
}

std::vector<DArgumentType> types_of_instr() { return {{.type = "int"}, {.type = "uintptr_t"}}; }

std::vector<DArgumentType> types_of_watch(uint8_t bytes) {
  if (bytes == 0) return {{.type = "uintptr_t"}};
  std::string value = "uint" + std::to_string(bytes * 8) + "_t";
  return {{.type = "uintptr_t"}, {.type = value}, {.type = value}};
}

std::optional<std::vector<DArgumentType>> UsdtTypes::of_watch(const ProbeDescription& probes) {
  auto pattern = watch_pattern(probes);
  if (!pattern) return std::nullopt;
  if (pattern->access == WatchAccess::Execute) return types_of_watch(0);
  if (pattern->bytes != 0) return types_of_watch(pattern->bytes);
  for (const PidModule& module : modules_.of(pattern->pid)) {
    if (!module_matches(pattern->module, module.names())) continue;
    for (const Symbol* symbol : module.file->symbols().named(pattern->variable))
      if (is_watchable_size(symbol->bytes)) return types_of_watch(static_cast<uint8_t>(symbol->bytes));
  }
  return std::nullopt;
}

std::vector<DArgumentType> UsdtTypes::of(const ProbeDescription& probes) {
  std::vector<DArgumentType> unknown(kDArguments);
  auto pattern = usdt_pattern(probes);
  if (!pattern || pattern->processes != PidPattern::Processes::One) return unknown;
  std::optional<std::vector<DArgumentType>> types;
  for (const PidModule& module : modules_.of(pattern->pid)) {
    if (!module_matches(pattern->module, module.names())) continue;
    for (const UsdtSite& site : usdt_sites(*module.file)) {
      if (!fits(*pattern, site)) continue;
      auto its = types_of(site.arguments);
      if (types && !are_alike(*types, its)) return unknown;
      types = std::move(its);
    }
  }
  return types.value_or(std::move(unknown));
}

}  // namespace strut
