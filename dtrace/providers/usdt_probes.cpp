// PidProbes: the statically defined probes (USDT) of a module.
#include <algorithm>
#include <set>
#include <string>

#include "dtrace/providers/probe_making.hpp"

namespace strut {
namespace {

constexpr const char* kNoSemaphore = "the file has no bytes for its semaphore, which the kernel could not raise";

const char* why_no_uprobe(const UsdtSite& site) {
  if (!site.uprobe) return why(site.uprobe.error()).data();  // a literal
  return site.semaphore && !site.semaphore->file_offset ? kNoSemaphore : nullptr;
}

/// "arguments that cannot be read: made:::forms 8f@%xmm0, …"
void note_unknown(std::string& text, const UsdtSite& site) {
  if (site.unknown.empty()) return;
  text += (text.empty() ? "arguments that cannot be read: " : ", ") + std::string(site.provider) + ":::" + site.name +
          ' ' + site.unknown;
}

}  // namespace

const std::vector<UsdtSite>& PidProbes::usdt_sites_of(const std::shared_ptr<const ModuleFile>& file) {
  auto [known, is_new] = usdt_sites_.try_emplace(file.get());
  if (is_new) {
    known->second = usdt_sites(*file);
    files_.push_back(file);
  }
  return known->second;
}

/// Sites of one name in one function are one probe. Its index; it is made if it is new. nullopt: there are too many.
std::optional<uint32_t> PidProbes::usdt_probe(Making& making, const UsdtSite& site) {
  std::tuple<std::string_view, std::string_view, std::string_view> key{site.provider, site.name, site.function};
  if (auto known = making.known_usdt.find(key); known != making.known_usdt.end()) return known->second;
  if (probes_left(making.found) == 0) return std::nullopt;
  auto index = static_cast<uint32_t>(making.found.probes.size());
  making.known_usdt.emplace(key, index);
  auto process = making.found.code.pid;
  DProbe made;
  made.id = take_id_();
  made.provider = kept(std::string(site.provider) + (process ? std::to_string(raw(*process)) : "*"));
  made.module = kept(making.module.path.substr(making.module.path.rfind('/') + 1));
  made.function = site.function;
  made.name = site.name;
  made.trigger.kind = DTrigger::Kind::Code;
  making.found.probes.push_back(std::move(made));
  making.sets.push_back(0);
  return index;
}

/// How many probes the description means.
uint32_t PidProbes::make_usdt(Making& making, const PidDemand& demand) {
  auto first_new = static_cast<uint32_t>(making.found.probes.size());
  std::set<uint32_t> matched;
  for (const UsdtSite& site : usdt_sites_of(making.module.file)) {
    if (!fits(demand.pattern, site)) continue;
    std::optional<uint32_t> index = usdt_probe(making, site);
    if (!index) {
      making.found.refused.push_back({demand.description, too_many()});
      break;
    }
    matched.insert(*index);
    making.sets[*index] = sets_.with(making.sets[*index], demand.clause);
    if (*index < first_new) continue;  // made for an earlier description, with all its sites
    auto& operands = making.found.code.operands;
    const char* no_uprobe = why_no_uprobe(site);
    making.points.push_back({site.file_offset,
                             {*index, DFiring::Kind::Operands, kNoCondition, static_cast<uint32_t>(operands.size())},
                             no_uprobe ? std::nullopt : std::optional(site.file_offset),
                             no_uprobe,
                             site.semaphore});
    operands.push_back(site.arguments);
    note_unknown(making.found.unread_arguments, site);
  }
  return static_cast<uint32_t>(matched.size());
}

}  // namespace strut
