// What waitid(2) says of a process, in wait4(2)'s words.
#pragma once

#include <signal.h>

namespace strut {

/// Of the `info` that waitid(2) has filled in. For a stopped tracee its si_status is all of the stop's code, event
/// included (ptrace(2), "PTRACE_EVENT stops").
int wait_status_of(const siginfo_t& info);

}  // namespace strut
