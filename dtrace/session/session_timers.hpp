// The probes of a session that fire by time: tick.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dtrace/session/session_probes.hpp"

namespace strut {

/// Times are CLOCK_MONOTONIC's.
class SessionTimers {
 public:
  void start(const SessionProbes& probes, uint64_t now_ns);
  /// The probe that is due, the earliest first. A late timer fires as often as it should have.
  std::optional<uint32_t> take_due(uint64_t now_ns);
  /// When the first of them is due, at most `latest_ns`.
  uint64_t next_ns(uint64_t latest_ns) const;

 private:
  struct Timer {
    uint32_t probe;
    uint64_t interval_ns;
    uint64_t next_ns;
  };
  std::vector<Timer> timers_;
};

}  // namespace strut
