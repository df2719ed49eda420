// Which probes a program's descriptions mean, now and whenever a process maps new code.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dtrace/providers/pid_probes.hpp"
#include "dtrace/providers/probe_table.hpp"
#include "dtrace/providers/watch_probes.hpp"

namespace strut {

/// One description of one clause, and its result.
struct DAsked {
  const ProbeDescription* description = nullptr;
  DPosition at;  ///< in its clause's source
  uint32_t clause = 0;
  uint64_t matched = 0;               ///< probes
  bool is_about_code = false;         ///< of processes: pid and statically defined providers
  std::vector<Complaint> complaints;  ///< the parts of it that cannot be had, each with the reason
};

/// Keeps the names of all probes. The program and the table outlive it.
class Enabling {
 public:
  Enabling(const DProgram& program, ProbeTable& table, std::vector<DTarget> targets);
  Enabling(const Enabling&) = delete;

  /// Looks for all that is there already. Once.
  void find();

  std::span<const DAsked> asked() const { return asked_; }
  /// How many probes the descriptions of one source mean.
  uint64_t matched_by(uint32_t source) const;
  /// Why a description means nothing, with names that are close: "no function … 'mian'; close to it: main". May be
  /// empty.
  std::string reason(const DAsked& asked);

  /// Probes that providers have by themselves and that clauses were enabled on, by id.
  const std::vector<DProbe>& fixed() const { return fixed_; }
  /// The results of find() in modules; to be armed.
  std::vector<PidFound>& found() { return found_; }
  /// The probes in modules that a process mapped since the last look.
  std::vector<PidFound> find_new(Pid pid);
  /// Lines about modules that have less probes than was asked for; each is returned once.
  std::vector<std::string> take_notes();
  /// Not empty: there were more probes than maxprobes, the first so many were found.
  const std::string& shortage() const { return shortage_; }
  /// Forgets the modules seen in this process.
  void forget(Pid pid) {
    std::erase_if(seen_, [pid](const Seen& seen) { return seen.pid == pid; });
  }

  /// Whether code of this process was found.
  bool has_looked_at(Pid pid) const {
    return std::ranges::any_of(seen_, [pid](const Seen& seen) { return seen.pid == pid; });
  }

  /// Processes that descriptions name (pid1234), targets among them.
  const std::set<Pid>& processes() const { return processes_; }
  /// False: BEGIN, END, ERROR and tick are all that there is.
  bool needs_processes() const;
  bool probes_code() const { return !pid_.empty(); }
  bool watches_memory() const { return !watch_.empty(); }
  /// Ranges to watch, of those that the process has by now, with the addresses that they have there.
  std::vector<DWatch> ranges_in(Pid pid, std::span<const FoundWatch> watches);
  /// True: probes are in the code of processes that are named, and nothing is asked for of other processes.
  bool is_about_named_code() const;
  /// True: code of unnamed processes is probed (pid*).
  bool is_system_wide() const;
  ModuleCache& modules() { return cache_; }

 private:
  void take(const ProbeDescription& description, DPosition at, uint32_t clause);
  void demand(uint32_t number, std::expected<PidPattern, Complaint> pattern);
  void demand_watch(uint32_t number);
  bool looks_into_modules() const { return probes_code() || watches_memory(); }
  std::vector<PidFound> find_in(std::span<const PidModule> modules, std::optional<Pid> pid);
  void find_fixed();
  void find_to_be_opened();
  void find_everywhere();
  std::vector<PidModule> modules_of_target(const DTarget& target);
  std::string reason_in_modules(const DAsked& asked);
  std::string reason_in_lines(const DAsked& asked, const PidPattern& pattern);
  std::string reason_in_notes(const DAsked& asked);
  std::string reason_in_variables(const DAsked& asked);
  std::string reason_for_provider(const std::string& provider);

  const DProgram& program_;
  ProbeTable& table_;
  std::vector<DTarget> targets_;
  ModuleCache cache_;
  PidProbes pid_;
  WatchProbes watch_;
  std::vector<DAsked> asked_;
  std::vector<DProbe> fixed_;
  std::vector<PidFound> found_;
  std::set<Pid> processes_;
  std::vector<PidModule> looked_at_;  ///< for suggestions
  std::string shortage_;
  std::vector<std::string> notes_;
  struct Seen {
    std::optional<Pid> pid;
    uint64_t device, inode;
    bool is_program;
    auto operator<=>(const Seen&) const = default;
  };
  std::set<Seen> seen_;
};

}  // namespace strut
