// The provider watch: descriptions and the modules of a process become probes, and ranges of its memory.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dtrace/engine/clause_sets.hpp"
#include "dtrace/providers/pid_module.hpp"
#include "dtrace/providers/pid_probes.hpp"
#include "pid-provider/watch_pattern.hpp"

namespace strut {

/// One description of one clause.
struct WatchDemand {
  WatchPattern pattern;
  ProbeDescription names;
  uint32_t clause = 0;
  uint32_t description = 0;  ///< the session's number for it
};

/// Keeps the names that its probes point to.
class WatchProbes {
 public:
  /// `take_id` gives a probe its id; `sets` outlives this.
  WatchProbes(ClauseSets& sets, std::function<uint32_t()> take_id) : sets_(sets), take_id_(std::move(take_id)) {}

  void demand(WatchDemand demand) { demands_.push_back({std::move(demand)}); }
  bool empty() const { return demands_.empty(); }
  /// The session's numbers of descriptions about a process.
  std::vector<uint32_t> descriptions_of(Pid process) const;

  /// Adds the probes of variables in this module, each of the first module that has it, and of addresses.
  void find(const PidModule& module, Pid process, PidFound& found);
  /// Names of variables in a module.
  static std::vector<std::string_view> variables(const PidModule& module);

 private:
  struct Demanded : WatchDemand {
    bool is_met = false;
  };
  /// A range in the making, and the probe in PidFound::probes.
  struct Made {
    FoundWatch watch;
    std::string_view function, name;
    uint32_t clauses;  ///< a set
  };
  std::optional<FoundWatch> range_of(const Demanded& demanded, const PidModule& module, PidFound& found) const;
  std::string obstacle_to(const FoundWatch& watch) const;
  DProbe probe_of(const Demanded& demanded, const PidModule& module);
  void make(Demanded& demanded, const PidModule& module, FoundWatch watch, std::vector<Made>& made, PidFound& found);
  std::string_view kept(std::string text);

  ClauseSets& sets_;
  std::function<uint32_t()> take_id_;
  std::vector<Demanded> demands_;
  std::vector<FoundWatch> all_;
  std::deque<std::string> texts_;
};

}  // namespace strut
