// The modules of traced processes: what each process has mapped, now and at the time of an event.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "libcalls/modules/arming_complaints.hpp"
#include "libcalls/modules/call_modules.hpp"
#include "libcalls/modules/code_places.hpp"
#include "libcalls/modules/stack_places.hpp"
#include "symtab/process/process_modules.hpp"

namespace strut {

/// One process: its modules, and the parts of them that were looked at.
struct CataloguedProcess {
  std::unique_ptr<ProcessModules> modules;
  std::unordered_map<const Module*, const CallModule*> known;
  std::vector<PlacedModule> placed;
  uint64_t looked_ns = 0;
  bool is_unseen = true;                 ///< the mappings of its program were not read
  std::unordered_set<uint64_t> nowhere;  ///< pages that no module had when that was looked at last
  PlacedModule program;                  ///< another one: it has executed something
  std::unordered_map<const CallModule*, std::vector<const Import*>> unresolved;  ///< for modules with calls that count
  bool has_tunables = false;
  std::optional<int64_t> errno_place;
};

/// Only forked(), stacks() and at() are thread-safe.
class ModuleCatalogue {
 public:
  /// `complaints` outlives it: files that cannot be read, programs for other machines.
  ModuleCatalogue(std::shared_ptr<CallModules> modules, ArmingComplaints& complaints)
      : modules_(std::move(modules)), complaints_(complaints) {}
  const std::shared_ptr<CallModules>& modules() const { return modules_; }

  /// Reads the process's mappings. nullptr: it is gone, or has no code of x86-64. The pointer stays valid.
  CataloguedProcess* refresh(Pid pid);
  /// A process runs another program since this time: its mappings are read if they were not since.
  void executed(Pid pid, uint64_t when_ns);
  /// A child has its parent's code.
  void forked(Pid parent, Pid child);

  /// The module that had an address then. A process may run code that was not reported yet: its mappings are read.
  PlacedModule placed(Pid pid, uint64_t address, uint64_t when_ns);
  /// As far as it is known.
  PlacedModule at(Pid pid, uint64_t address, uint64_t when_ns) const { return places_.at(pid, address, when_ns); }
  /// nullptr: unknown.
  const CallModule* program_of(Pid pid) const;
  std::optional<int64_t> errno_place(Pid pid) const;
  /// Where stacks may be, as it was when a process was last looked at.
  const SeenStacks& stacks() const { return stacks_; }

  /// Files with code could not be read.
  bool lacks_files() const { return lacks_files_; }
  /// Calls by processes that were gone before their code was looked at.
  uint64_t calls_from_nowhere() const { return calls_from_nowhere_; }

 private:
  void note_unread();
  void note_other_code(const ProcessModules& modules);
  void place(Pid pid, CataloguedProcess& process);

  const std::shared_ptr<CallModules> modules_;
  ArmingComplaints& complaints_;
  CodePlaces places_;
  SeenStacks stacks_;
  std::unordered_map<int32_t, std::unique_ptr<CataloguedProcess>> processes_;
  bool lacks_files_ = false;
  uint64_t calls_from_nowhere_ = 0;
};

}  // namespace strut
