#include "calls/stack_places.hpp"

#include <algorithm>

#include "core/proc/maps.hpp"

namespace strut {

bool StackPlaces::same(Tid tid, uint64_t low, uint64_t high) {
  auto of = pids_.find(raw(tid));
  Pid pid = of != pids_.end() ? of->second : Pid{raw(tid)};
  std::vector<Range>& ranges = ranges_[raw(pid)];
  auto in_one = [&] { return std::ranges::any_of(ranges, [&](const Range& r) { return low >= r.start && high < r.end; }); };
  if (in_one()) return true;
  // Stacks grow, and come and go: what is not known to be one may be one by now.
  auto mappings = maps_of(pid);
  // Of one that is ending there are none any more: what was seen before holds.
  if (!mappings || mappings->empty()) return ranges.empty();
  ranges.clear();
  for (const Mapping& mapping : *mappings)
    if (mapping.writable) ranges.push_back({raw(mapping.start), raw(mapping.end)});
  // It is ending, or runs another program by now: what is told of it is older.
  bool is_gone = std::ranges::none_of(ranges, [&](const Range& r) { return high > r.start && high <= r.end; });
  return is_gone || in_one();
}

void StackPlaces::forget(Tid tid) {
  pids_.erase(raw(tid));
  ranges_.erase(raw(tid));
}

}  // namespace strut
