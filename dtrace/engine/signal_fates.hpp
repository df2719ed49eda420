// What becomes of a signal in a process, by "SigBlk:", "SigIgn:" and "SigCgt:" of /proc/TID/status.
#pragma once

#include "base/ids.hpp"

namespace strut {

/// The process has a handler of its own for it.
bool is_handled(Pid pid, int signal);

/// The kernel throws it away when it is sent to this thread, or to the process whose first thread it is: it is ignored,
/// or that is what is done about it where nobody asks for anything else, and not blocked (signal(7)). Of a tracee the
/// kernel tells its tracer first.
bool is_discarded(Tid tid, int signal);

}  // namespace strut
