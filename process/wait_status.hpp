// waitid(2)'s result in wait4(2)'s form.
#pragma once

#include <signal.h>

namespace strut {

/// From the `info` that waitid(2) has filled in. For a stopped tracee its si_status is the whole code of the stop,
/// event included (ptrace(2), "PTRACE_EVENT stops").
int wait_status_of(const siginfo_t& info);

}  // namespace strut
