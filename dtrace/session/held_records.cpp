#include "dtrace/session/held_records.hpp"

#include <algorithm>

namespace strut {

void HeldRecords::keep(const DFired& fired) {
  uint64_t bytes = buffer_bytes(program_, fired.record);
  bool fits = bytes_[fired.cpu] + bytes <= most_bytes_;
  if (!fits && policy_ == DSettings::BufferPolicy::Fill) is_full_ = true;
  if (is_full_) return;
  if (!fits) make_room(fired.cpu, bytes);
  bytes_[fired.cpu] += bytes;
  records_.emplace_back(fired);
}

void HeldRecords::make_room(uint32_t cpu, uint64_t bytes) {
  auto is_this_cpu = [cpu](const KeptRecord& kept) { return kept.fired.cpu == cpu; };
  while (bytes_[cpu] + bytes > most_bytes_) {
    auto oldest = std::ranges::find_if(records_, is_this_cpu);
    if (oldest == records_.end()) return;
    bytes_[cpu] -= buffer_bytes(program_, oldest->bytes);
    records_.erase(oldest);
  }
}

}  // namespace strut
