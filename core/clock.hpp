// The time, by the vdso: no system call.
#pragma once

#include <cstdint>

#include "core/call.hpp"

namespace strut {

/// CLOCK_REALTIME and CLOCK_MONOTONIC.
Moment now();

/// CLOCK_MONOTONIC alone.
uint64_t monotonic_ns();

}  // namespace strut
