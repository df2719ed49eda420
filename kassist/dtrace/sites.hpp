// Where a D program's clauses in the kernel are armed: uprobes of processes, and hooks.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "kassist/dtrace/hooks.hpp"
#include "kassist/dtrace/program.hpp"
#include "kassist/dtrace/stacks.hpp"
#include "kassist/uprobes/uprobes.hpp"

namespace strut {

class DSites {
 public:
  /// `kernel` outlives this, and so does `stacks`; nullptr: no user stacks are wanted.
  DSites(DKernelProgram& kernel, UprobeMechanism mechanism, DStacks* stacks)
      : kernel_(kernel), mechanism_(mechanism), stacks_(stacks) {}

  /// Attaches the hooks of further probes.
  Result<void> add_probes(std::span<const DProbe> probes);
  /// The refused ones of these sites. Error: nothing can be armed.
  Result<std::vector<DRefusal>> arm(const DCode& code, const DArmingStep& step);
  /// The links of this process's uprobes belong to another thread (UprobeRequest::pid).
  void forget(Pid pid) { uprobes_.erase(raw(pid)); }
  void disarm() { disarm_at_once(uprobes_); }
  void detach_hooks() { hooks_.detach(); }

  /// Instructions, since the beginning.
  uint64_t armed() const { return armed_; }

 private:
  void report_displacements(const DCode& code);

  DKernelProgram& kernel_;
  UprobeMechanism mechanism_;
  DStacks* stacks_;
  std::map<int32_t, Uprobes> uprobes_;  ///< by process; 0: system-wide
  DHooks hooks_;
  uint32_t probes_ = 0;
  uint64_t armed_ = 0;
};

}  // namespace strut
