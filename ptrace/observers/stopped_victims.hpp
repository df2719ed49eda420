// Processes that an event leaves stopped (StopOn): a SIGSTOP that is strut's comes before they run another instruction,
// and they are abandoned there.
#pragma once

#include <signal.h>

#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/control.hpp"
#include "trace/request.hpp"

namespace strut {

/// Whether the call that the tracee enters or has returned from is one that leaves its process stopped.
bool is_to_be_stopped(const Tracee& tracee, const SyscallInfo& info, const StopOn& stop_on);

/// A call that the tracee is about to make is made when it goes on.
void stop_next(Tracee& tracee);

/// The tracee is abandoned at this signal, which waits until it is continued. A fault comes again by itself.
void send_again(const Tracee& tracee, const siginfo_t& info);

}  // namespace strut
