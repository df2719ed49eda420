// Processes that have mapped code: their linkers map more, and request arming at the end. A look at one before its
// request would let it wait in the kernel for arming that is under way.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "base/ids.hpp"

namespace strut {

class FreshCode {
 public:
  void mapped(Pid pid, uint64_t now_ns) { since_ns_.try_emplace(pid, now_ns); }
  /// Removes processes that are stopped, and those without a request for 20 ms: they may never make one (mmap(2)
  /// without a linker).
  std::set<Pid> ripe(const std::set<Pid>& standing, uint64_t now_ns) {
    constexpr uint64_t kLongest_ns = 20'000'000;
    std::set<Pid> pids;
    std::erase_if(since_ns_, [&](const auto& one) {
      bool is_ripe = standing.contains(one.first) || now_ns - one.second >= kLongest_ns;
      return is_ripe && pids.insert(one.first).second;
    });
    return pids;
  }
  bool empty() const { return since_ns_.empty(); }

 private:
  std::map<Pid, uint64_t> since_ns_;
};

}  // namespace strut
