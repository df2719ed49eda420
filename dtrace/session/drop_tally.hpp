// Drops that are said together, once in a second: a line for each could be a line for each firing.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "dlang/machine/engine.hpp"

namespace strut {

class DropTally {
 public:
  struct Dropped {
    DDrops what;
    int cpu;  ///< as DObserver::dropped() has it
    uint64_t count;
  };

  void add(DDrops what, int cpu, uint64_t count) { counts_[{what, cpu}] += count; }
  /// The drops since the last report, if that is a second old.
  std::vector<Dropped> due(uint64_t now_ns) {
    constexpr uint64_t kApart_ns = 1'000'000'000;
    if (counts_.empty() || (said_ns_ != 0 && now_ns - said_ns_ < kApart_ns)) return {};
    said_ns_ = now_ns;
    return rest();
  }
  std::vector<Dropped> rest() {
    std::vector<Dropped> all;
    for (auto [of, count] : std::exchange(counts_, {})) all.push_back({of.first, of.second, count});
    return all;
  }

 private:
  std::map<std::pair<DDrops, int>, uint64_t> counts_;
  uint64_t said_ns_ = 0;
};

}  // namespace strut
