// Out-of-line copies of instructions under breakpoints, each followed by a jump to the next instruction.
//
// So a hit costs one stop, and no single-step: the thread runs the instruction in its slot and continues by itself. A
// thread that stops in a slot, by a signal or a fault, is moved back first: the target never sees the address of a
// slot.
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

/// The content of a slot.
using SlotBytes = std::array<std::byte, kSlotBytes>;

/// The slots, and their owners. The owner maps and writes their memory.
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

  /// A free slot within the instruction's reach, and the bytes to write to it. nullopt: no area has one.
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
  /// The area turned out not to exist.
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
