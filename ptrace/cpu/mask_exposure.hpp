// Whether a system call could show that a thread's affinity is not what the program set, or pass it on.
#pragma once

#include "ptrace/engine/tracee.hpp"

namespace strut {

/// Of the call that the tracee enters or is in (Effects::cpu_mask). Worked out once a call: a read asks /proc what is
/// read.
Exposure exposure_of(Tracee& tracee);

}  // namespace strut
