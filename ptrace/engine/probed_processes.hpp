// Processes that may have breakpoints, from their attach or exec to their end, and their children's beginnings.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "ptrace/breakpoints/traps.hpp"
#include "ptrace/engine/births.hpp"
#include "ptrace/engine/tracee.hpp"
#include "trace/probe_host.hpp"

namespace strut {

class ProbedProcesses final : public BreakpointHost {
 public:
  /// `waiting`: as Traps has it.
  ProbedProcesses(TraceeTable& tracees, std::deque<Waited>& waiting)
      : tracees_(tracees),
        waiting_(waiting),
        traps_(counts_, waiting, [this](const ProbedThread& thread) { return others_in(thread); }) {}

  std::vector<size_t> insert(Pid pid, std::span<const HostBreakpoint> breakpoints) override;
  void remove(Pid pid, std::span<const Addr> addresses) override;
  void forget(Pid pid, std::span<const Addr> addresses) override;
  /// ProbeHost::watch_memory().
  Result<void> watch_memory(Pid pid, std::span<const HostWatch> watches);
  /// A new thread, at its first stop, has the ranges of its process. Error: it cannot have the registers.
  static Result<void> watch_child(Tracee& child);
  /// No thread traps from now on.
  void remove_all();

  /// All threads of a running process, and of the processes in its memory, are tracees and stopped. `asked_for`:
  /// processes that are going to be attached to as well. nullptr: it has no thread.
  std::shared_ptr<ProbedProcess> attached(Pid pid, std::span<const Pid> asked_for);
  bool is_held(Pid pid) const { return held(pid) != nullptr; }
  /// A process that is held as a borrower of another one's memory is reported from now on. False: it is none.
  bool report(Pid pid);
  /// The tracee stands before the first instruction of another program, alone in its process.
  void executed(Tracee& tracee);
  /// The parent stands at the event that reports this child. Whether processes are followed; threads always are.
  struct Expected {
    bool has_arrived = false;
    std::optional<Pid> process;  ///< a followed one: it has its parent's breakpoints from this moment on
  };
  Expected expect(Tracee& parent, Tid child, bool follow);
  /// A child is at its first stop. Without a process: it stays there until expect() or died() names it, or it has been
  /// detached.
  enum class Arrival : uint8_t { Early, LetGo, Traced };
  Arrival arrived(Tid child, Births::Child& known);
  /// Children that are to begin now; those of `processes` with their parent's breakpoints.
  struct Orphans {
    std::vector<Tid> children;
    std::vector<Pid> processes;
  };
  Orphans died(const Tracee& tracee, bool follow);
  /// A child died before its first stop. Returns its process, if that was known and followed.
  std::optional<Pid> forget_child(Tid child);

  /// A process that is reported; nullptr: unknown.
  std::shared_ptr<ProbedProcess> find(Pid pid) const;
  /// The reported processes, by their pids.
  const std::unordered_map<int32_t, std::shared_ptr<ProbedProcess>>& all() const { return processes_; }
  Traps& traps() { return traps_; }
  bool awaits_any() const { return !births_.empty(); }
  bool awaits_child_in(const AddressSpace& space) const { return births_.await_one_in(space); }
  ProbeHostCounts& counts() { return counts_; }
  const ProbeHostCounts& counts() const { return counts_; }

 private:
  std::shared_ptr<ProbedProcess> fresh(Pid pid, Tid thread) const;
  std::shared_ptr<ProbedProcess> held(Pid pid) const;
  std::optional<Pid> adopt(Tid child);
  static Result<void> watch_thread(Tracee& tracee);
  std::vector<ProbedThread*> others_in(const ProbedThread& thread) const;

  TraceeTable& tracees_;
  std::deque<Waited>& waiting_;
  ProbeHostCounts counts_;
  Traps traps_;
  std::shared_ptr<CallPlaces> call_places_ = std::make_shared<CallPlaces>();
  std::unordered_map<int32_t, std::shared_ptr<ProbedProcess>> processes_;  ///< the reported ones
  Births births_;
  bool is_leaving_ = false;
};

}  // namespace strut
