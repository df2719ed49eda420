// The last resort when strut cannot go on: no memory, no thread, a bug.
#pragma once

#include <string_view>

namespace strut {

/// From now on a process that runs out of memory, cannot start a thread, or does not catch an exception writes one line
/// to stderr, behind `program`, and ends with status 1. It does not unwind: its changes in targets are undone by
/// its guardian (ptrace/guardian/guardian.hpp) and the front process, as if it had been killed. `program` must outlive
/// it.
void install_last_resort(std::string_view program);

}  // namespace strut
