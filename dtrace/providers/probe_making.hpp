// The probes of one module in the making. For PidProbes' own files only.
#pragma once

#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dtrace/providers/pid_probes.hpp"
#include "dtrace/providers/pid_variables.hpp"

namespace strut {

/// The results of a find() so far.
struct PidProbes::Making {
  struct Point {
    uint64_t file_offset;
    DFiring firing;
    std::optional<uint64_t> uprobe_offset;
    const char* no_uprobe;
    std::optional<SiteSemaphore> semaphore{};
    VariableSite site{};  ///< for variables of the program
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

  /// No uprobe further on than the point's own instruction.
  void stay(Point& point) const {
    if (!point.uprobe_offset || *point.uprobe_offset == point.file_offset) return;
    auto instruction = decode(module.file->elf().at_address(point.site.address), point.site.address);
    auto cost = instruction ? uprobe_on(*instruction) : std::unexpected(UprobeRefusal::Opcode);
    point.uprobe_offset = cost ? std::optional(point.file_offset) : std::nullopt;
    if (!cost) point.no_uprobe = why(cost.error()).data();  // a literal
  }

  void add_point(const ProbeSite& site, PidProbe::Kind kind, const DFiring& firing) {
    std::optional<uint64_t> uprobe;
    if (site.uprobe)
      uprobe = site.uprobe->address == site.address ? site.file_offset
                                                    : module.file->elf().offset_of_address(site.uprobe->address);
    const char* no_uprobe = site.uprobe ? nullptr : why(site.uprobe.error()).data();  // a literal
    points.push_back({site.file_offset, firing, uprobe, no_uprobe, {}, {site.address, kind}});
  }
};

}  // namespace strut
