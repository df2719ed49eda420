// Whether a system call could show that a thread's affinity is not the program's own, or pass it on.
#pragma once

#include "ptrace/engine/tracee.hpp"

namespace strut {

/// For the call that the tracee enters or is in (Effects::cpu_mask). Computed once a call: a read looks up its file in
/// /proc.
Exposure exposure_of(Tracee& tracee);

}  // namespace strut
