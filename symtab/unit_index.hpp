// Which unit of .debug_info an address belongs to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symtab/dwarf.hpp"
#include "symtab/range_map.hpp"

namespace strut {

/// From .debug_aranges (DWARF 5, 6.1.2), and from the roots of the units that it leaves out, which are read only if an
/// address is not found without them: gcc lists every unit, clang none.
class UnitIndex {
 public:
  explicit UnitIndex(const Dwarf& dwarf) : dwarf_(dwarf) {}

  /// nullptr: no unit has the address.
  const DwarfUnit* at(uint64_t address) const;

 private:
  void read_listed() const;
  void read_roots() const;

  const Dwarf& dwarf_;
  mutable std::optional<RangeMap> listed_, roots_;  ///< to a unit's offset
  mutable std::vector<uint64_t> listed_units_;      ///< ascending
};

}  // namespace strut
