// Which processes run in one memory: vfork(2), clone(2) with CLONE_VM.
#pragma once

#include <vector>

#include "core/ids.hpp"

namespace strut {

/// False also where the kernel does not say it: one of them has exited, or strut may not look at it.
bool share_memory(Tid a, Tid b);

/// Whether a thread has its handlers of signals in common with one of another process (CLONE_SIGHAND).
bool share_handlers(Tid a, Tid b);

/// The other processes of strut's pid namespace that run in the memory of this thread's process `pid`, at this moment.
std::vector<Pid> others_in_memory(Pid pid, Tid tid);

}  // namespace strut
