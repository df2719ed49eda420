// The brake by ptrace(2): threads stand still in the signal-delivery-stop of a marker that their tracer throws away.
#pragma once

#include "trace/brake.hpp"

namespace strut {

/// The tracer is a thread of its own, which lives while threads are seized.
///
/// Visible to a seized thread's process: TracerPid in /proc/PID/status, and that no other process can trace the thread.
/// After a SIGKILL of strut at any time all threads run on; a marker that was not yet received then reaches its thread,
/// so it must be a signal that is ignored by default.
std::unique_ptr<Brake> make_ptrace_brake(int marker, MarkerTaken taken);

}  // namespace strut
