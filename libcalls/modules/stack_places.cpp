#include "libcalls/modules/stack_places.hpp"

#include <algorithm>

namespace strut {

namespace {

/// Heaps of malloc's arenas begin at multiples of this (glibc 2.36, as /proc/PID/maps shows them), and the room for
/// growth is unreadable at the end: directly below the next one.
constexpr uint64_t kHeapBytes = 64 << 20;
/// More is no guard.
constexpr uint64_t kMaxGuardBytes = 16 << 20;
constexpr uint64_t kPageBytes = 4096;
/// Threads' stacks are above (mmap(2) from the top down, x86-64), memory of brk(2) below.
constexpr uint64_t kMapsBegin = 0x7000'0000'0000;
/// The usual size of a thread's stack (getrlimit(2), RLIMIT_STACK).
constexpr uint64_t kUsualStackBytes = 8 << 20;

bool is_guarded(const Mapping* below, const Mapping& mapping) {
  bool is_guard = below && below->end == mapping.start && !below->readable && !below->writable && !below->executable &&
                  raw(below->end) - raw(below->start) <= kMaxGuardBytes;
  return is_guard && raw(mapping.start) % kHeapBytes != 0;
}

std::vector<StackRange> stack_ranges(std::span<const Mapping> mappings) {
  std::vector<StackRange> ranges;
  const Mapping* below = nullptr;
  for (const Mapping& mapping : mappings) {
    bool is_stack = mapping.path == "[stack]" || is_guarded(below, mapping);
    if (mapping.writable) ranges.push_back({raw(mapping.start), raw(mapping.end), is_stack});
    below = &mapping;
  }
  return ranges;
}

/// Two addresses in memory that came after the last look.
bool may_be_one_threads(uint64_t low, uint64_t high) { return low >= kMapsBegin && high - low < kUsualStackBytes; }

}  // namespace

void SeenStacks::changed(Pid pid, std::span<const Mapping> mappings) {
  std::vector<StackRange> ranges = stack_ranges(mappings);
  std::lock_guard lock(mutex_);
  ranges_[raw(pid)] = std::move(ranges);
}

void SeenStacks::forked(Pid parent, Pid child) {
  std::lock_guard lock(mutex_);
  auto from = ranges_.find(raw(parent));
  if (from == ranges_.end() || parent == child) return;
  std::vector<StackRange> inherited = from->second;
  ranges_.try_emplace(raw(child), std::move(inherited));
}

std::vector<StackRange> SeenStacks::of(Pid pid) const {
  std::lock_guard lock(mutex_);
  auto found = ranges_.find(raw(pid));
  return found == ranges_.end() ? std::vector<StackRange>{} : found->second;
}

bool StackPlaces::same(Tid tid, uint64_t low, uint64_t high) {
  if (raw(tid) < 0) return true;
  auto of = pids_.find(raw(tid));
  Pid pid = of != pids_.end() ? of->second : Pid{raw(tid)};
  Process& process = processes_[raw(pid)];
  // Stacks grow, and come and go.
  if (process.is_old || !range_of(process, low) || !range_of(process, high)) look_at(pid, process);
  if (process.ranges.empty()) return true;
  if (process.is_from_before && !range_of(process, low) && !range_of(process, high))
    return may_be_one_threads(low, high);
  for (uint64_t address : {low, high})
    if (!range_of(process, address)) note_gone(process, address);
  const Range* range = range_of(process, low);
  return range == range_of(process, high) && range->is_stack;
}

const StackPlaces::Range* StackPlaces::range_of(const Process& process, uint64_t address) {
  auto above = std::ranges::upper_bound(process.ranges, address, {}, &Range::start);
  if (above == process.ranges.begin()) return nullptr;
  const Range& range = *std::prev(above);
  return address < range.end ? &range : nullptr;
}

/// For a process that is ending there are no mappings any more: what was seen before holds.
void StackPlaces::look_at(Pid pid, Process& process) const {
  auto mappings = maps_of(pid);
  if (mappings && !mappings->empty()) {
    process = {stack_ranges(*mappings), false, false};
  } else if (process.ranges.empty() && seen_) {
    process = {seen_->of(pid), false, true};
  }
}

/// So that it is not looked for again.
void StackPlaces::note_gone(Process& process, uint64_t address) {
  uint64_t start = address - address % kPageBytes;
  auto at = std::ranges::upper_bound(process.ranges, start, {}, &Range::start);
  process.ranges.insert(at, {start, start + kPageBytes, false});
}

void StackPlaces::belongs(Tid tid, Pid pid) {
  pids_[raw(tid)] = pid;
  auto [process, is_new] = processes_.try_emplace(raw(pid));
  if (is_new) look_at(pid, process->second);
  else process->second.is_old = true;
}

void StackPlaces::forget(Tid tid) {
  pids_.erase(raw(tid));
  processes_.erase(raw(tid));
}

}  // namespace strut
