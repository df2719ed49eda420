// The probes of one module in the making. For PidProbes' own files only.
#pragma once

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dtrace/providers/pid_probes.hpp"

namespace strut {

/// The results of a find() so far.
struct PidProbes::Making {
  struct Point {
    uint64_t file_offset;
    DFiring firing;
    std::optional<uint64_t> uprobe_offset;
    const char* no_uprobe;
    std::optional<SiteSemaphore> semaphore{};
  };
  /// The identity of a probe: of two descriptions of the same probe, both clauses run.
  struct Key {
    uint64_t function;
    PidProbe::Kind kind;
    uint64_t offset;
    std::string_view name;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return (key.function * 31 + key.offset * 4 + static_cast<size_t>(key.kind)) * 0x9e3779b97f4a7c15u ^
             std::hash<std::string_view>{}(key.name);
    }
  };
  const PidModule& module;
  PidFound& found;
  std::string_view provider, instr_provider, module_name;
  std::vector<uint32_t> sets{};  ///< for found.probes
  std::vector<Point> points{};
  std::unordered_map<Key, uint32_t, Hash> known{};
  /// Statically defined probes, by provider, name and function.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, uint32_t> known_usdt{};
  bool several = false;  ///< more than one description: probes may come twice

  void add_point(const ProbeSite& site, const DFiring& firing) {
    std::optional<uint64_t> uprobe;
    if (site.uprobe)
      uprobe = site.uprobe->address == site.address ? site.file_offset
                                                    : module.file->elf().offset_of_address(site.uprobe->address);
    const char* no_uprobe = site.uprobe ? nullptr : why(site.uprobe.error()).data();  // a literal
    points.push_back({site.file_offset, firing, uprobe, no_uprobe});
  }
};

}  // namespace strut
