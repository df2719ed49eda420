// The time, by the vdso: no system call.
#pragma once

#include <cstdint>

namespace strut {

/// A pair of clock readings.
struct Timestamp {
  uint64_t realtime_ns = 0;   ///< CLOCK_REALTIME
  uint64_t monotonic_ns = 0;  ///< CLOCK_MONOTONIC
};

/// CLOCK_REALTIME and CLOCK_MONOTONIC.
Timestamp now();

/// CLOCK_MONOTONIC alone.
uint64_t monotonic_ns();

}  // namespace strut
