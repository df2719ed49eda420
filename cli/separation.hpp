// The process that traces, apart from the one that users know and kill.
#pragma once

#include "core/result.hpp"
#include "core/tracer_process.hpp"

namespace strut {

/// TracerProcess::separate(), and a guardian holds the death of the process that users know until its tracer has let go
/// of all targets: who waits for a strut that was killed finds nothing of it left. Where nobody may trace that process,
/// its tracer lets go soon after its death.
Result<void> separate_tracer(TracerProcess::Launches launches);

}  // namespace strut
