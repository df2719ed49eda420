// Which unit of debug information an address belongs to. Private to symtab.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symtab/dwarf/die.hpp"
#include "symtab/elf/range_map.hpp"

namespace strut {

/// From .debug_aranges (DWARF 5, 6.1.2), and from the roots of the units that it leaves out, which are read only if an
/// address is not found without them: gcc lists every unit, clang none.
class UnitRanges {
 public:
  explicit UnitRanges(const DwarfFile& file) : file_(file) {}

  /// The root of the unit; nullopt: no unit has the address.
  std::optional<Die> at(uint64_t address) const;

 private:
  void read_listed() const;
  void read_roots() const;

  const DwarfFile& file_;
  mutable std::optional<RangeMap> listed_, roots_;  ///< to the offset of a unit's root
  mutable std::vector<uint64_t> listed_units_;      ///< ascending
};

}  // namespace strut
