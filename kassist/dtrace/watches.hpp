// Watched memory: hardware breakpoints of threads, whose hits run clauses in the kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "kassist/dtrace/program.hpp"

namespace strut {

/// The breakpoints go with this object, or with the process, however it ends.
class DWatches {
 public:
  using Hold = std::function<std::shared_ptr<void>(Pid)>;

  /// `hold`: DKassistParts::hold; empty: processes cannot be stopped. `kernel` outlives this.
  DWatches(DKernelProgram& kernel, Hold hold) : kernel_(kernel), hold_(std::move(hold)) {}

  /// DEngine::watch().
  Result<void> watch(Pid pid, std::span<const DWatch> watches);
  /// The process has no breakpoint any more.
  void executed(Pid pid) {
    if (auto process = processes_.find(raw(pid)); process != processes_.end()) drop(process->second);
  }
  /// Removes all. Hits that no program has seen.
  uint64_t end();

 private:
  struct Process {
    std::vector<DWatch> ranges;
    std::vector<OwnedFd> events, links;
  };
  void drop(Process& process);
  Result<void> keep_values(Pid pid, std::span<const DWatch> watches);
  Result<void> add_thread(Process& process, Pid pid, Tid tid, int clauses);

  DKernelProgram& kernel_;
  Hold hold_;
  std::map<int32_t, Process> processes_;
  uint64_t hits_ = 0;  ///< hits of events that are gone
};

}  // namespace strut
