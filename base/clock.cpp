#include "base/clock.hpp"

#include <ctime>

namespace strut {

namespace {
uint64_t nanoseconds_of(clockid_t clock) {
  timespec time;
  ::clock_gettime(clock, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}
}  // namespace

uint64_t monotonic_ns() { return nanoseconds_of(CLOCK_MONOTONIC); }

Timestamp now() { return {nanoseconds_of(CLOCK_REALTIME), monotonic_ns()}; }

}  // namespace strut
