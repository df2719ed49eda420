// Where a D program's clauses in the kernel are attached, but for code: tracepoints, and timers of CPUs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "kassist/dtrace/program.hpp"

namespace strut {

class DHooks {
 public:
  /// Attaches the hooks that the known probes need. A hook with a changed program is attached anew: events in between
  /// fire nothing, rather than twice.
  Result<void> attach(DKernelProgram& program);
  /// From now on a probe fires on each CPU every so many nanoseconds.
  Result<void> add_profile(DKernelProgram& program, uint32_t probe, uint64_t interval_ns);
  /// From now on a probe fires wherever the kernel reaches a tracepoint.
  Result<void> add_tracepoint(DKernelProgram& program, uint32_t probe, const DTrigger::Tracepoint& at);
  /// After its return nothing is attached.
  void detach();

 private:
  struct Hook {
    int program = -1;  ///< DKernelProgram's
    OwnedFd link;
  };
  std::array<Hook, kDHooks> hooks_;
  std::vector<OwnedFd> links_;  ///< of perf events, which they keep, and of tracepoints
};

}  // namespace strut
