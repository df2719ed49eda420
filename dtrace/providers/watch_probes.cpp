#include "dtrace/providers/watch_probes.hpp"

#include <algorithm>
#include <expected>

namespace strut {
namespace {

std::string bytes_text(uint64_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

Complaint refusal(ProbeField field, std::string text) {
  return {field == ProbeField::Name ? "D_PROC_NAME" : "D_PROC_FUNC", field, std::move(text), {}};
}

/// The symbol of this name; nullptr: the module has none.
std::expected<const Symbol*, Complaint> symbol_of(const std::string& name, const PidModule& module) {
  const Symbol* found = nullptr;
  for (const Symbol* symbol : module.file->symbols().named(name)) {
    if (symbol->type == SymbolType::Tls)
      return std::unexpected(
          refusal(ProbeField::Function, "'" + name + "' is thread-local: each thread has it at an address of its own"));
    if (found && found->address != symbol->address)
      return std::unexpected(
          refusal(ProbeField::Function, "'" + name + "' is the name of several variables of " + module.name() +
                                            ": strut symbols --list shows their addresses in the file"));
    if (!found || found->bytes == 0) found = symbol;
  }
  return found;
}

std::expected<uint8_t, Complaint> length_of(const WatchPattern& pattern, const Symbol& symbol) {
  if (pattern.bytes == 0 && pattern.offset != 0)
    return std::unexpected(refusal(ProbeField::Name, "memory inside of '" + pattern.variable + "' needs a length: " +
                                                         std::string(name_of(pattern.access)) + "1, 2, 4 or 8"));
  uint64_t bytes = pattern.bytes != 0 ? pattern.bytes : symbol.bytes;
  if (!is_watchable_size(bytes))
    return std::unexpected(
        refusal(ProbeField::Name, "'" + pattern.variable + "' has " + bytes_text(bytes) +
                                      "; a debug register watches 1, 2, 4 or 8: say a length, as in " +
                                      std::string(name_of(pattern.access)) + "8"));
  if (symbol.bytes != 0 && (pattern.offset >= symbol.bytes || bytes > symbol.bytes - pattern.offset))
    return std::unexpected(refusal(ProbeField::Function, bytes_text(bytes) + " at '" + pattern.variable + "+" +
                                                             std::to_string(pattern.offset) +
                                                             "' reach beyond it: it has " + bytes_text(symbol.bytes)));
  return static_cast<uint8_t>(bytes);
}

/// nullopt: the module does not have the variable.
std::expected<std::optional<FoundWatch>, Complaint> find_range(const WatchPattern& pattern, const PidModule& module) {
  auto symbol = symbol_of(pattern.variable, module);
  if (!symbol) return std::unexpected(symbol.error());
  if (!*symbol) return std::nullopt;
  FoundWatch watch;
  watch.pid = pattern.pid;
  watch.device = module.device;
  watch.inode = module.inode;
  watch.range = {(*symbol)->address + pattern.offset, 1, pattern.access};
  if (pattern.access == WatchAccess::Execute) return watch;
  auto bytes = length_of(pattern, **symbol);
  if (!bytes) return std::unexpected(bytes.error());
  watch.range.bytes = *bytes;
  if (std::string why = why_unwatchable(watch.range.address, *bytes); !why.empty())
    return std::unexpected(refusal(ProbeField::Function, "'" + pattern.variable + "': " + why));
  return watch;
}

/// Nothing but the variable, or the address, has told them apart.
bool are_at_one_address(const FoundWatch& a, const FoundWatch& b) {
  return a.pid == b.pid && a.device == b.device && a.inode == b.inode && a.range.address == b.range.address;
}

}  // namespace

std::string_view WatchProbes::kept(std::string text) { return texts_.emplace_back(std::move(text)); }

std::vector<uint32_t> WatchProbes::descriptions_of(Pid process) const {
  std::vector<uint32_t> numbers;
  for (const Demanded& one : demands_)
    if (one.pattern.pid == process) numbers.push_back(one.description);
  return numbers;
}

std::vector<std::string_view> WatchProbes::variables(const PidModule& module) {
  std::vector<std::string_view> names;
  for (const Symbol& symbol : module.file->symbols().all())
    if (symbol.type == SymbolType::Object) names.push_back(symbol.name);
  return names;
}

/// nullopt: it is not here, or refused.
std::optional<FoundWatch> WatchProbes::range_of(const Demanded& demanded, const PidModule& module,
                                                PidFound& found) const {
  const WatchPattern& pattern = demanded.pattern;
  if (pattern.variable.empty())
    return FoundWatch{0, pattern.pid, 0, 0, {pattern.offset, pattern.bytes, pattern.access}};
  if (!module_matches(pattern.module, module.names())) return std::nullopt;
  auto watch = find_range(pattern, module);
  if (watch) return *watch;
  found.refused.push_back({demanded.description, watch.error()});
  return std::nullopt;
}

/// Why a further range cannot be watched; empty: it can.
std::string WatchProbes::obstacle_to(const FoundWatch& watch) const {
  auto is_there = [&](const FoundWatch& one) { return are_at_one_address(one, watch); };
  if (std::ranges::any_of(all_, is_there)) return "is watched already: an address has one watchpoint";
  if (std::ranges::count(all_, watch.pid, &FoundWatch::pid) == kDebugRegisters)
    return "is one too many: a thread has four debug registers";
  return {};
}

DProbe WatchProbes::probe_of(const Demanded& demanded, const PidModule& module) {
  DProbe probe;
  probe.id = take_id_();
  probe.provider = kept("watch" + std::to_string(raw(demanded.pattern.pid)));
  probe.module = kept(demanded.pattern.variable.empty() ? "" : module.name());
  probe.function = kept(demanded.names.function);
  probe.name = kept(demanded.names.name);
  probe.trigger.kind = DTrigger::Kind::Watch;
  return probe;
}

/// All clauses of a probe run, whichever description names it.
void WatchProbes::make(Demanded& demanded, const PidModule& module, FoundWatch watch, std::vector<Made>& made,
                       PidFound& found) {
  auto same = std::ranges::find_if(made, [&](const Made& one) {
    return one.watch.range == watch.range && one.function == demanded.names.function && one.name == demanded.names.name;
  });
  if (same == made.end()) {
    if (std::string why = obstacle_to(watch); !why.empty()) {
      Complaint complaint = refusal(ProbeField::Function, "'" + demanded.names.function + "' " + why);
      return found.refused.push_back({demanded.description, std::move(complaint)});
    }
    watch.probe = static_cast<uint32_t>(found.probes.size());
    all_.push_back(watch);
    DProbe probe = found.probes.emplace_back(probe_of(demanded, module));
    same = made.insert(made.end(), {watch, probe.function, probe.name, 0});
  }
  same->clauses = sets_.with(same->clauses, demanded.clause);
  demanded.is_met = true;
  found.matched.push_back({demanded.description, 1});
}

void WatchProbes::find(const PidModule& module, Pid process, PidFound& found) {
  std::vector<Made> made;
  for (Demanded& demanded : demands_) {
    if (demanded.is_met || demanded.pattern.pid != process) continue;
    if (auto watch = range_of(demanded, module, found)) make(demanded, module, *watch, made, found);
  }
  for (const Made& one : made) {
    found.probes[one.watch.probe].clauses = sets_.of(one.clauses);
    found.watches.push_back(one.watch);
  }
}

}  // namespace strut
