// Calls counted for strace -c, -C.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "formatters/strace/summary.hpp"

namespace strut {

/// Durations of calls, in nanoseconds.
struct Spread {
  uint64_t total = 0, min = UINT64_MAX, max = 0;

  void add(uint64_t taken) {
    total += taken;
    min = std::min(min, taken);
    max = std::max(max, taken);
  }
  void add(const Spread& other) {
    total += other.total;
    min = std::min(min, other.min);
    max = std::max(max, other.max);
  }
};

/// The counts of one call, or of all of them.
struct CallCounts {
  std::string name;
  uint64_t calls = 0, errors = 0;
  Spread time;  ///< system time, or wall-clock time (-w)
  Spread wall;

  void add(const CallCounts& other) {
    calls += other.calls;
    errors += other.errors;
    time.add(other.time);
    wall.add(other.wall);
  }
  uint64_t average(const Spread& spread) const { return calls == 0 ? 0 : spread.total / calls; }
};

/// Equal rows keep the order of their numbers.
void sort_rows(std::vector<const CallCounts*>& rows, SummaryOrder order);

}  // namespace strut
