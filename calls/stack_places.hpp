// Which stack an address is in, by what a process has mapped.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "calls/pairing.hpp"

namespace strut {

/// Reads maps of a process only where what it knows does not say. A process that was gone at the first look has one
/// stack.
class StackPlaces final : public Stacks {
 public:
  bool same(Tid tid, uint64_t low, uint64_t high) override;
  void belongs(Tid tid, Pid pid) { pids_[raw(tid)] = pid; }
  /// Thread or process are gone, or the process executes another program.
  void forget(Tid tid);

 private:
  struct Range {
    uint64_t start, end;
  };
  std::unordered_map<int32_t, Pid> pids_;
  std::unordered_map<int32_t, std::vector<Range>> ranges_;  ///< by process, ascending
};

}  // namespace strut
