// The process that traces, apart from the one that users know and kill.
#pragma once

#include "base/result.hpp"
#include "cli/common/message.hpp"
#include "process/tracer_process.hpp"

namespace strut {

/// TracerProcess::separate(), with a guardian (ptrace/guardian/guardian.hpp) for both processes. When the front process
/// is killed, its death is held until the tracer has let go of all targets. When the tracer is killed, the guardian
/// restores the targets' code, and the front process says so through `messages` and ends in the same way.
Result<void> separate_tracer(TracerProcess::Launches launches, Messages& messages);

}  // namespace strut
