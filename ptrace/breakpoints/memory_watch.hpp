// Watched memory of traced processes: hardware breakpoints of their threads, whose hits stop the thread by SIGTRAP.
//
// An event raises SIGTRAP when the thread returns to user code, behind the instruction; the tracer suppresses it. While
// a thread blocks SIGTRAP its hits do not stop it: the event counts them, and they are reported as lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <signal.h>

#include "base/ids.hpp"
#include "base/owned_fd.hpp"
#include "base/result.hpp"
#include "trace/probe_host.hpp"

namespace strut {

struct ProbedThread;

/// One for the processes that share memory.
struct WatchedMemory {
  struct Range {
    HostWatch watch;
    uint64_t value = 0;  ///< at the last hit
  };
  std::vector<Range> ranges;
};

/// A thread's breakpoint for the range of its place in WatchedMemory.
struct ThreadBreakpoint {
  OwnedFd event;
  uint64_t hits = 0;  ///< reported or lost ones
};

/// A thread's accesses before a stop.
struct MemoryHits {
  std::vector<MemoryAccess> accesses;
  uint64_t lost = 0;
};

/// Reads the values of ranges, by a thread that stands still. Error: nothing is mapped there.
Result<void> read_values(ProbedThread& thread);
/// Gives a thread the breakpoints of its process. 0, or errno.
int give_breakpoints(ProbedThread& thread);

/// Whether a signal comes from a breakpoint.
bool is_of_breakpoint(const siginfo_t& info);
/// Whether the thread is stopped at such a signal.
bool stands_at_breakpoint(Tid tid);
/// For a thread that is; its next stop has further hits.
MemoryHits take_hits(ProbedThread& thread);

/// For a thread that stands still, whose breakpoints are gone: false, and it must be continued and stop once more,
/// because a breakpoint's signal is pending.
bool has_no_pending_hit(ProbedThread& thread);

}  // namespace strut
