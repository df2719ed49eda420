// Which of many address ranges contains an address.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut {

/// Ranges [low, high) with a number each; they may overlap. Fill, then sort(), then ask.
class RangeMap {
 public:
  struct Range {
    uint64_t low = 0, high = 0;
    uint64_t id = 0;
  };

  void add(uint64_t low, uint64_t high, uint64_t id) {
    if (low < high) ranges_.push_back({low, high, id});
  }
  void sort() {
    std::ranges::stable_sort(ranges_, {}, &Range::low);
    furthest_.resize(ranges_.size());
    uint64_t reach = 0;
    for (size_t i = 0; i < ranges_.size(); i++) furthest_[i] = reach = std::max(reach, ranges_[i].high);
  }
  /// Of several ranges the one that begins closest to the address.
  const Range* find(uint64_t address) const {
    auto above = std::ranges::upper_bound(ranges_, address, {}, &Range::low);
    for (auto at = static_cast<size_t>(above - ranges_.begin()); at-- > 0 && furthest_[at] > address;)
      if (address < ranges_[at].high) return &ranges_[at];
    return nullptr;
  }
  bool empty() const { return ranges_.empty(); }
  const std::vector<Range>& all() const { return ranges_; }

 private:
  std::vector<Range> ranges_;
  std::vector<uint64_t> furthest_;  ///< by position: how far any range up to it reaches
};

}  // namespace strut
