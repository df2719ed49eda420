// What the kernel programs are told of strut's caller (kernel/caller.bpf.h).
#pragma once

#include "kassist/caller_wire.h"

namespace strut {

/// All zero where it may trace every process.
wire_caller restriction();

}  // namespace strut
