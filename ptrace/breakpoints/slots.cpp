#include "ptrace/breakpoints/slots.hpp"

#include <algorithm>
#include <cstring>

namespace strut {
namespace {

/// The reach of a 32-bit displacement, less the largest distance between instruction and data themselves.
constexpr uint64_t kReach = (uint64_t{1} << 31) - (uint64_t{1} << 26);
constexpr uint64_t kLowest = 0x10000;  // vm.mmap_min_addr

/// jmp *0(%rip), and the address behind it: it reaches everything and changes nothing.
void put_jump(std::byte* at, uint64_t to) {
  static constexpr unsigned char kJump[] = {0xff, 0x25, 0, 0, 0, 0};
  std::memcpy(at, kJump, sizeof kJump);
  std::memcpy(at + sizeof kJump, &to, sizeof to);
}

uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

}  // namespace

std::optional<Slots::Taken> Slots::take(const Displaced& displaced, uint64_t home) {
  for (Area& area : areas_) {
    if (area.used == kSlotAreaBytes) continue;
    uint64_t slot = area.start + area.used;
    auto bytes = moved_to(displaced, home, slot);
    if (!bytes) continue;
    area.used += kSlotBytes;
    Taken taken{slot, {}};
    std::copy_n(bytes->begin(), displaced.length, taken.bytes.begin());
    put_jump(taken.bytes.data() + displaced.length, home + displaced.length);
    slots_[slot] = {home, displaced.length};
    return taken;
  }
  return std::nullopt;
}

/// Just below something that is mapped: not where a heap or a stack grows to.
std::optional<uint64_t> Slots::room_near(uint64_t home, std::span<const Mapping> mappings) {
  std::optional<uint64_t> best;
  uint64_t end_before = kLowest;
  for (const Mapping& mapping : mappings) {
    uint64_t start = raw(mapping.start);
    bool roomy = start > end_before && start - end_before >= 2 * kSlotAreaBytes;
    end_before = raw(mapping.end);
    if (!roomy || mapping.path == "[stack]" || mapping.path == "[vsyscall]") continue;
    uint64_t candidate = start - kSlotAreaBytes;
    if (distance(candidate, home) < kReach && (!best || distance(candidate, home) < distance(*best, home)))
      best = candidate;
  }
  return best;
}

const Slots::Slot* Slots::find(uint64_t address, uint64_t& start) const {
  for (const Area& area : areas_) {
    if (address < area.start || address >= area.start + area.used) continue;
    start = area.start + (address - area.start) / kSlotBytes * kSlotBytes;
    auto found = slots_.find(start);
    return found == slots_.end() ? nullptr : &found->second;
  }
  return nullptr;
}

std::vector<uint64_t> Slots::areas() const {
  std::vector<uint64_t> starts;
  for (const Area& area : areas_) starts.push_back(area.start);
  return starts;
}

std::vector<Slots::Part> Slots::parts() const {
  std::vector<Part> parts;
  for (const Area& area : areas_) parts.push_back({area.start, area.used});
  return parts;
}

void Slots::drop_area(uint64_t start) {
  std::erase_if(areas_, [&](const Area& area) { return area.start == start; });
  std::erase_if(slots_, [&](const auto& slot) { return slot.first - start < kSlotAreaBytes; });
}

void Slots::clear() {
  areas_.clear();
  slots_.clear();
}

}  // namespace strut
