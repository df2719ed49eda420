// Places in a target where instructions that breakpoints stand on are run, each followed by a jump to where the next
// one is.
//
// So a hit costs one stop, no step: the thread runs the instruction in its slot and goes on by itself. Whoever is seen
// in a slot, because a signal came or the instruction faulted, is brought home first: the target never sees the address
// of a slot.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "procfs/maps.hpp"
#include "x86/displaced.hpp"

namespace strut {

inline constexpr size_t kSlotBytes = 32;  ///< an instruction of 15 and a jump of 14
inline constexpr size_t kSlotAreaBytes = 64 * 1024;

/// What a slot is to hold.
using SlotBytes = std::array<std::byte, kSlotBytes>;

/// Which slots there are, and whose they are. Memory is mapped and written by the owner.
class Slots {
 public:
  struct Slot {
    uint64_t home = 0;  ///< the instruction's own address
    uint8_t length = 0;
  };
  struct Taken {
    uint64_t at = 0;
    SlotBytes bytes;
  };

  /// A free slot that reaches what the instruction reaches, and what to write to it. nullopt: no area has one.
  std::optional<Taken> take(const Displaced& displaced, uint64_t home);
  /// Memory for slots has been mapped there: kSlotAreaBytes, executable.
  void add_area(uint64_t at) { areas_.push_back({at, 0}); }
  /// Where there would be room for an area in reach of `home`. nullopt: nowhere.
  static std::optional<uint64_t> room_near(uint64_t home, std::span<const Mapping> mappings);

  /// The slot that an address lies in; nullptr: none.
  const Slot* find(uint64_t address, uint64_t& start) const;
  bool empty() const { return areas_.empty(); }
  size_t area_count() const { return areas_.size(); }
  std::vector<uint64_t> areas() const;
  /// The part of an area that has slots: address and bytes.
  struct Part {
    uint64_t start = 0;
    size_t bytes = 0;
  };
  std::vector<Part> parts() const;
  /// It turns out that there is no such area.
  void drop_area(uint64_t start);
  void clear();

 private:
  struct Area {
    uint64_t start;
    size_t used;  ///< bytes
  };
  std::vector<Area> areas_;
  std::unordered_map<uint64_t, Slot> slots_;  ///< by where they are
};

}  // namespace strut
