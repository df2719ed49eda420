// The caller of strut, with the rights that the kernel programs check (kernel/common/caller.bpf.h).
#pragma once

#include "kassist/wire/caller_wire.h"

namespace strut {

/// All zero where it may trace every process, and numbers of processes are the kernel's.
wire_caller restriction();

}  // namespace strut
