// The disposition of a signal in a process, by "SigBlk:", "SigIgn:" and "SigCgt:" of /proc/TID/status.
#pragma once

#include "base/ids.hpp"

namespace strut {

/// The process has a handler of its own for it.
bool is_handled(Pid pid, int signal);

/// The kernel discards the signal when it is sent to this thread, or to its process, as the first thread: it is
/// ignored, by the program or by default, and not blocked (signal(7)). The kernel reports a tracee's signals to its
/// tracer first.
bool is_discarded(Tid tid, int signal);

}  // namespace strut
