#include "dtrace/providers/pid_probes.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <tuple>

#include "dtrace/providers/probe_making.hpp"
#include "pid-provider/displacement.hpp"

namespace strut {
namespace {

/// At one instruction, a function's entry fires first and its return last.
int rank(DFiring::Kind kind) { return kind == DFiring::Kind::Entry ? 0 : kind == DFiring::Kind::Return ? 2 : 1; }

DFiring::Kind firing_kind(PidProbe::Kind kind) {
  switch (kind) {
    case PidProbe::Kind::Entry: return DFiring::Kind::Entry;
    case PidProbe::Kind::Return: return DFiring::Kind::Return;
    case PidProbe::Kind::Instruction: return DFiring::Kind::Operands;
    case PidProbe::Kind::Line:
    case PidProbe::Kind::Offset: break;
  }
  return DFiring::Kind::Offset;
}

bool same_pattern(const PidPattern& a, const PidPattern& b) {
  auto key = [](const PidPattern& p) {
    return std::tie(p.module, p.function, p.place, p.number, p.name, p.file, p.usdt_provider);
  };
  return key(a) == key(b);
}

}  // namespace

std::string_view PidProbes::kept(std::string text) {
  auto known = known_texts_.find(text);
  if (known != known_texts_.end()) return known->second;
  texts_.push_back(text);
  return known_texts_.emplace(std::move(text), texts_.back()).first->second;
}

std::string_view PidProbes::offset_name(uint64_t offset) {
  auto [known, is_new] = offset_names_.try_emplace(offset);
  if (!is_new) return known->second;
  char text[17];
  auto [end, error] = std::to_chars(text, text + sizeof text, offset, 16);
  return known->second = kept({text, end});
}

const ModuleFunctions& PidProbes::functions_of(const std::shared_ptr<const ModuleFile>& file) {
  auto& functions = functions_[file.get()];
  if (!functions) {
    functions = std::make_unique<ModuleFunctions>(*file);
    files_.push_back(file);
  }
  return *functions;
}

std::vector<std::string_view> PidProbes::functions(const PidModule& module) {
  std::vector<std::string_view> names;
  for (const Function& function : functions_of(module.file).all()) names.push_back(function.name);
  return names;
}

LinesFound PidProbes::lines(const PidModule& module, const PidPattern& pattern) {
  return lines_of(functions_of(module.file), pattern);
}

bool PidProbes::is_meant(const PidDemand& demand, const PidModule& module, std::optional<Pid> process) const {
  const PidPattern& pattern = demand.pattern;
  bool every = pattern.processes == PidPattern::Processes::Every;
  if (every != !process || (process && pattern.pid != *process)) return false;
  if (pattern.place == PidPattern::Place::Absolute) return module.bias.has_value();
  return module_matches(pattern.module, module.names());
}

void PidProbes::demand(PidDemand demand) {
  if (demand.pattern.processes == PidPattern::Processes::One) processes_.insert(demand.pattern.pid);
  demands_.push_back(std::move(demand));
}

/// Decoded once for all processes that have the file, if there may be several.
std::shared_ptr<const ProbeList> PidProbes::list_of(const PidDemand& demand, const PidModule& module, PidFound& found) {
  const PidPattern& pattern = demand.pattern;
  bool is_shared = processes_.size() > 1 && pattern.place != PidPattern::Place::Absolute;
  ListKey key{module.file.get(), pattern.function, pattern.place, pattern.number, pattern.name, pattern.file};
  auto known = lists_.find(key);
  if (known != lists_.end() && known->second->probes.size() <= probes_left(found)) {
    for (const Complaint& complaint : known->second->refused) found.refused.push_back({demand.description, complaint});
    return known->second;
  }
  auto list = std::make_shared<ProbeList>();
  bool is_whole = list_into(demand, module, *list, found);
  if (is_whole && is_shared) lists_[key] = list;
  return list;
}

uint32_t PidProbes::probes_left(const PidFound& found) const {
  return max_probes_ - std::min(max_probes_, made_ + static_cast<uint32_t>(found.probes.size()));
}

Complaint PidProbes::too_many() const {
  return {"D_PROC_CREATEFAIL", ProbeField::Name,
          "more than " + std::to_string(max_probes_) +
              " probes are asked for: narrow the description, or allow more with -x maxprobes="};
}

/// False: there are more, or none can be had.
bool PidProbes::list_into(const PidDemand& demand, const PidModule& module, ProbeList& list, PidFound& found) {
  const ModuleFunctions& functions = functions_of(module.file);
  size_t refused_before = found.refused.size();
  ProbeLimits limits;
  limits.max_probes = probes_left(found);
  auto refuse = [&](const Complaint& complaint) { found.refused.push_back({demand.description, complaint}); };
  if (demand.pattern.place != PidPattern::Place::Absolute) {
    if (auto added = add_probes(functions, demand.pattern, limits, list); !added) {
      if (added.error().tag == "D_PROC_CREATEFAIL") refuse(too_many());
      else refuse(added.error());
    }
  } else {
    uint64_t address = demand.pattern.number - *module.bias;
    bool is_ours = !functions.file().at_address(address).empty();
    if (is_ours)
      if (auto added = add_probe_at(functions, address, list); !added) refuse(added.error());
  }
  bool is_whole = found.refused.size() == refused_before;
  for (const Complaint& complaint : list.refused) refuse(complaint);
  return is_whole;
}

std::string_view PidProbes::name_of(const ProbeList& list, const PidProbe& probe) {
  bool is_offset =
      probe.kind == PidProbe::Kind::Instruction || (probe.kind == PidProbe::Kind::Offset && probe.label.empty());
  return is_offset ? offset_name(probe.offset) : kept(list.name_of(probe));
}

/// Index in what was found; nullopt: an earlier description made it, and it has this clause now, too.
std::optional<uint32_t> PidProbes::make_probe(Making& making, const PidDemand& demand, const ProbeList& list,
                                              const PidProbe& probe) {
  const ProbedFunction& function = list.functions[probe.function];
  bool is_labelled = probe.kind == PidProbe::Kind::Instruction;
  std::string_view name =
      is_labelled ? kept(std::string(function.name) + '-' + std::string(probe.label)) : function.name;
  auto index = static_cast<uint32_t>(making.found.probes.size());
  if (making.several) {
    // A line's number in the list is the list's own matter.
    bool is_line = probe.kind == PidProbe::Kind::Line;
    Making::Key key{function.range.begin, probe.kind, is_line ? 0 : probe.offset,
                    is_line ? kept(std::string(name) + ':' + list.name_of(probe)) : name};
    auto [known, is_new] = making.known.try_emplace(key, index);
    if (!is_new) {
      making.sets[known->second] = sets_.with(making.sets[known->second], demand.clause);
      return std::nullopt;
    }
  }
  bool is_absolute = demand.pattern.place == PidPattern::Place::Absolute;
  DProbe made;
  made.id = take_id_();
  made.provider = is_labelled ? making.instr_provider : making.provider;
  made.module = making.module_name;
  made.function = name;
  made.name = is_absolute ? offset_name(demand.pattern.number) : name_of(list, probe);
  made.trigger.kind = DTrigger::Kind::Code;
  making.found.probes.push_back(std::move(made));
  making.sets.push_back(sets_.with(0, demand.clause));
  return index;
}

void PidProbes::make_probes(Making& making, const PidDemand& demand, const ProbeList& list) {
  making.found.probes.reserve(making.found.probes.size() + list.probes.size());
  making.sets.reserve(making.sets.size() + list.probes.size());
  making.points.reserve(making.points.size() + list.sites.size());
  auto& operands = making.found.code.operands;
  size_t points_before = making.points.size();
  for (const PidProbe& probe : list.probes) {
    auto index = make_probe(making, demand, list, probe);
    if (!index) continue;
    uint64_t begin = list.functions[probe.function].range.begin;
    for (uint32_t i = probe.first_site; i < probe.first_site + probe.sites; i++) {
      const ProbeSite& site = list.sites[i];
      bool has_operands = probe.kind == PidProbe::Kind::Instruction;
      auto offset = static_cast<uint32_t>(has_operands ? operands.size() + site.arguments : site.address - begin);
      making.add_point(site, probe.kind, {*index, firing_kind(probe.kind), site.condition, offset});
    }
  }
  if (making.points.size() != points_before) std::ranges::copy(list.arguments, std::back_inserter(operands));
}

/// Points at one instruction become one site. An entry's uprobe may sit further on, where it is cheap, only if no other
/// probe is on the way.
void PidProbes::make_sites(Making& making) {
  auto& points = making.points;
  auto before = [](const Making::Point& a, const Making::Point& b) {
    return std::tuple(a.file_offset, rank(a.firing.kind)) < std::tuple(b.file_offset, rank(b.firing.kind));
  };
  std::ranges::stable_sort(points, before);
  DCode& code = making.found.code;
  code.sites.reserve(points.size());
  code.firings.reserve(points.size());
  for (size_t i = 0; i < points.size();) {
    size_t end = i + 1;
    while (end < points.size() && points[end].file_offset == points[i].file_offset) end++;
    DSite site{points[i].file_offset, points[i].uprobe_offset, static_cast<uint32_t>(code.firings.size()),
               static_cast<uint32_t>(end - i), points[i].no_uprobe};
    bool is_alone = end == points.size() || (site.uprobe_offset && points[end].file_offset > *site.uprobe_offset);
    bool is_moved = site.uprobe_offset && *site.uprobe_offset != site.file_offset;
    for (size_t k = i; k < end; k++) {
      if (is_moved && points[k].uprobe_offset == site.file_offset) site.uprobe_offset = site.file_offset;
      if (points[k].semaphore) site.semaphore = points[k].semaphore;
      code.firings.push_back(points[k].firing);
    }
    if (is_moved && !is_alone) site.uprobe_offset = site.file_offset;
    code.sites.push_back(site);
    i = end;
  }
}

/// How many of the functions that are asked for are misplaced().
size_t PidProbes::make_all(Making& making, std::span<const PidDemand* const> meant) {
  const PidDemand* listed = nullptr;
  std::shared_ptr<const ProbeList> list;
  size_t misplaced = 0;
  for (const PidDemand* demand : meant) {
    if (demand->pattern.place == PidPattern::Place::Usdt) {
      making.found.matched.push_back({demand->description, make_usdt(making, *demand)});
      continue;
    }
    if (!listed || !same_pattern(listed->pattern, demand->pattern)) {
      list = list_of(*demand, making.module, making.found);
      listed = demand;
      misplaced = std::max(misplaced, list->misplaced);
    }
    make_probes(making, *demand, *list);
    making.found.matched.push_back({demand->description, static_cast<uint32_t>(list->probes.size())});
  }
  return misplaced;
}

PidFound PidProbes::find(const PidModule& module, std::optional<Pid> process) {
  PidFound found;
  found.code.pid = process;
  std::string which = process ? std::to_string(raw(*process)) : "*";
  Making making{module, found, kept("pid" + which), kept("instr" + which), kept(module.name())};
  std::vector<const PidDemand*> meant;
  for (const PidDemand& demand : demands_)
    if (is_meant(demand, module, process)) meant.push_back(&demand);
  making.several = meant.size() > 1;
  size_t misplaced = make_all(making, meant);
  for (size_t i = 0; i < found.probes.size(); i++) found.probes[i].clauses = sets_.of(making.sets[i]);
  if (misplaced != 0) found.misplaced = misplaced_text(misplaced, making.module_name);
  made_ += static_cast<uint32_t>(found.probes.size());
  place_variables(making);
  make_sites(making);
  found.code.path = module.opened;
  found.code.device = module.device;
  found.code.inode = module.inode;
  found.code.displace = [file = module.file](const DSite& site) { return displaced_at(file->elf(), site.file_offset); };
  return found;
}

}  // namespace strut
