// The threads and children of a process, which could see it from inside.
#pragma once

#include "base/ids.hpp"
#include "ptrace/engine/tracee.hpp"

namespace strut {

/// Whether all threads of a process and all its children are tracees. False also where /proc does not say.
bool kin_is_among(Pid pid, const TraceeTable& tracees);

}  // namespace strut
