#include "ptrace/cpu/backoff.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace strut {

void Backoff::begin() {
  uint64_t now_ns = monotonic_ns();
  if (now_ns - engaged_at_ns_ > kLasting * next_ns_) next_ns_ = kFirst_ns;
  not_before_ns_ = now_ns + next_ns_;
  next_ns_ = std::min(next_ns_ * 2, kLongest_ns);
}

}  // namespace strut
