// Who could see a process from inside: its threads and its children.
#pragma once

#include "base/ids.hpp"
#include "ptrace/engine/tracee.hpp"

namespace strut {

/// Whether all threads of a process and all its children are tracees. False also where /proc does not say.
bool kin_is_among(Pid pid, const TraceeTable& tracees);

}  // namespace strut
