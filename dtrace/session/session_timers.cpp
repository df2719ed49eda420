#include "dtrace/session/session_timers.hpp"

#include <algorithm>

namespace strut {

void SessionTimers::start(const SessionProbes& probes, uint64_t now_ns) {
  for (uint32_t i = 0; i < probes.own(); i++)
    if (uint64_t interval_ns = probes[i].trigger.interval_ns) timers_.push_back({i, interval_ns, now_ns + interval_ns});
}

std::optional<uint32_t> SessionTimers::take_due(uint64_t now_ns) {
  auto next = std::ranges::min_element(timers_, {}, &Timer::next_ns);
  if (next == timers_.end() || next->next_ns > now_ns) return std::nullopt;
  next->next_ns += next->interval_ns;
  return next->probe;
}

uint64_t SessionTimers::next_ns(uint64_t latest_ns) const {
  uint64_t next_ns = latest_ns;
  for (const Timer& timer : timers_) next_ns = std::min(next_ns, timer.next_ns);
  return next_ns;
}

}  // namespace strut
