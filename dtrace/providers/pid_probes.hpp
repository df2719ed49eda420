// Turns pid descriptions and one module into probes, and into sites that an engine arms.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "dlang/machine/engine.hpp"
#include "dtrace/engine/clause_sets.hpp"
#include "dtrace/providers/pid_module.hpp"
#include "pid-provider/line_points.hpp"
#include "pid-provider/points.hpp"
#include "pid-provider/usdt_sites.hpp"
#include "x86/watched_range.hpp"

namespace strut {

/// One description of one clause.
struct PidDemand {
  PidPattern pattern;
  uint32_t clause = 0;
  uint32_t description = 0;  ///< the session's number for it
};

/// Memory of one process that a probe is about.
struct FoundWatch {
  uint32_t probe = 0;  ///< in PidFound::probes
  Pid pid{};
  uint64_t device = 0, inode = 0;  ///< the file that `range.address` is an address of; 0: it is one of the process
  WatchedRange range;
};

/// The probes found in one module for one process, or for all.
struct PidFound {
  std::vector<DProbe> probes;  ///< to be made known to the engine in this order
  DCode code;                  ///< firings count probes from the first of these
  std::vector<FoundWatch> watches;
  std::vector<std::pair<uint32_t, uint32_t>> matched;  ///< description, how many of the probes it means
  struct Refused {
    uint32_t description;
    Complaint complaint;
  };
  std::vector<Refused> refused;  ///< requests that cannot be met, with the reason
  std::string misplaced;         ///< misplaced_text() of those that were asked for; empty: there is none
  std::string unread_arguments;  ///< the same of arguments that strut cannot read
};

/// Keeps the names that its probes point to.
class PidProbes {
 public:
  /// `take_id` gives a probe its id. The program outlives this.
  PidProbes(const DProgram& program, std::function<uint32_t()> take_id)
      : program_(program),
        max_probes_(static_cast<uint32_t>(program.settings.most_probes())),
        take_id_(std::move(take_id)) {}

  void demand(PidDemand demand);
  bool empty() const { return demands_.empty(); }
  const std::vector<PidDemand>& demands() const { return demands_; }
  ClauseSets& sets() { return sets_; }

  /// No match is no error. `process` nullopt: the descriptions of pid*.
  PidFound find(const PidModule& module, std::optional<Pid> process);

  /// The statically defined probes of a file.
  const std::vector<UsdtSite>& usdt_sites_of(const std::shared_ptr<const ModuleFile>& file);

  /// Lines of the module's sources that a pattern of Place::Line means, for suggestions.
  LinesFound lines(const PidModule& module, const PidPattern& pattern);
  /// Functions of the module, for suggestions.
  std::vector<std::string_view> functions(const PidModule& module);

 private:
  struct Making;
  bool is_meant(const PidDemand& demand, const PidModule& module, std::optional<Pid> process) const;
  const ModuleFunctions& functions_of(const std::shared_ptr<const ModuleFile>& file);
  std::shared_ptr<const ProbeList> list_of(const PidDemand& demand, const PidModule& module, PidFound& found);
  bool list_into(const PidDemand& demand, const PidModule& module, ProbeList& list, PidFound& found);
  uint32_t probes_left(const PidFound& found) const;
  Complaint too_many() const;
  std::string_view name_of(const ProbeList& list, const PidProbe& probe);
  std::optional<uint32_t> make_probe(Making& making, const PidDemand& demand, const ProbeList& list,
                                     const PidProbe& probe);
  void make_probes(Making& making, const PidDemand& demand, const ProbeList& list);
  size_t make_all(Making& making, std::span<const PidDemand* const> meant);
  uint32_t make_usdt(Making& making, const PidDemand& demand);
  std::optional<uint32_t> usdt_probe(Making& making, const UsdtSite& site);
  void place_variables(Making& making);
  std::vector<uint32_t> variables_of(std::span<const uint32_t> clauses) const;
  void make_sites(Making& making);
  std::string_view kept(std::string text);
  std::string_view offset_name(uint64_t offset);

  const DProgram& program_;
  uint32_t max_probes_;
  uint32_t made_ = 0;
  std::function<uint32_t()> take_id_;
  std::vector<PidDemand> demands_;
  ClauseSets sets_;
  std::map<const ModuleFile*, std::unique_ptr<ModuleFunctions>> functions_;
  std::map<const ModuleFile*, std::vector<UsdtSite>> usdt_sites_;
  std::vector<std::shared_ptr<const ModuleFile>> files_;
  std::set<Pid> processes_;  ///< named by demands
  /// The matches of a pattern in a file, for the next process that maps it: by file, function, place, number, name and
  /// source.
  using ListKey = std::tuple<const ModuleFile*, std::string, PidPattern::Place, uint64_t, std::string, std::string>;
  std::map<ListKey, std::shared_ptr<const ProbeList>> lists_;
  std::deque<std::string> texts_;
  std::map<std::string, std::string_view, std::less<>> known_texts_;
  std::unordered_map<uint64_t, std::string_view> offset_names_;
};

}  // namespace strut
