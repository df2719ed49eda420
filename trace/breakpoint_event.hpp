// Hardware breakpoints of threads as perf events (perf_event_open(2), PERF_TYPE_BREAKPOINT).
//
// Problem: a debug register that ptrace(PTRACE_POKEUSER) has set stays set in its thread when the tracer is killed, and
// the next hit is a SIGTRAP that kills the target. Decision: an event holds the register. It goes when its last
// descriptor is closed, which the kernel does before it detaches a dead tracer's tracees (do_exit(): exit_files(), then
// exit_notify()).
#pragma once

#include <cstdint>
#include <optional>

#include "base/finding.hpp"
#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "x86/watched_range.hpp"

namespace strut {

struct BreakpointRequest {
  WatchedRange range;
  Tid tid{};  ///< 0: the caller
  /// Threads and processes that the thread makes have the breakpoint, too, and theirs as well.
  bool inherits = false;
  /// Not 0: a hit raises SIGTRAP in its thread, with TRAP_PERF and this as si_perf_data.
  uint64_t signal_data = 0;
};

/// The event, enabled, which counts hits of user code (read(2), 8 bytes); below 0: -errno. An exec of its thread
/// removes the breakpoint (Linux 5.13). ENOSPC: the thread's four registers are taken.
OwnedFd open_breakpoint(const BreakpointRequest& request);

/// Hits so far, of threads that have inherited it, too. nullopt: it cannot be read.
std::optional<uint64_t> hits_of(const OwnedFd& event);

/// Why a thread of the process has no breakpoint; 0: the caller's. `error`: errno of open_breakpoint().
Error why_no_breakpoint(int error, Pid pid);

/// Whether this machine has so many registers free for the caller, and its processor traps: a breakpoint of the calling
/// thread is hit. nullopt: all is well.
std::optional<Error> breakpoint_obstacle(size_t registers);
/// The answer for `strut doctor`.
Finding check_breakpoints();

}  // namespace strut
