#include "symtab/unit_index.hpp"

#include <algorithm>

#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

/// One set of .debug_aranges: a header, padding to the size of a pair, pairs of address and length up to one of zeros.
/// False: it is cut or malformed.
bool read_set(ByteReader& reader, RangeMap& ranges, std::vector<uint64_t>& units) {
  size_t begins = reader.at();
  uint64_t length = reader.take<uint32_t>();
  uint8_t offset_bytes = length == 0xffffffff ? 8 : 4;
  if (offset_bytes == 8) length = reader.take<uint64_t>();
  if (!reader.ok() || length > reader.left()) return false;
  uint64_t end = reader.at() + length;
  auto version = reader.take<uint16_t>();
  uint64_t unit = reader.take_number(offset_bytes);
  auto address_bytes = reader.take<uint8_t>();
  reader.skip(1);  // size of a segment selector
  if (version != 2 || (address_bytes != 4 && address_bytes != 8)) return reader.seek(end), reader.ok();
  size_t pair = address_bytes * size_t{2};
  reader.skip((pair - (reader.at() - begins) % pair) % pair);
  while (reader.ok() && reader.at() + pair <= end) {
    uint64_t low = reader.take_number(address_bytes), bytes = reader.take_number(address_bytes);
    if (low == 0 && bytes == 0) break;
    if (low != 0) ranges.add(low, low + bytes, unit);  // at 0: code that the linker left out
  }
  units.push_back(unit);
  reader.seek(end);
  return reader.ok();
}

}  // namespace

void UnitIndex::read_listed() const {
  listed_.emplace();
  ByteReader reader(dwarf_.part(Dwarf::Part::AddressRanges));
  while (!reader.at_end() && read_set(reader, *listed_, listed_units_)) {
  }
  listed_->sort();
  std::ranges::sort(listed_units_);
}

void UnitIndex::read_roots() const {
  roots_.emplace();
  uint64_t budget = dwarf_.range_budget();
  for (const DwarfUnit& unit : dwarf_.units()) {
    if (unit.type == dwarf::kUnitType || std::ranges::binary_search(listed_units_, unit.offset)) continue;
    std::optional<Die> root = dwarf_.root_of(unit);
    if (!root || !root->abbreviation) continue;
    for (AddressRange range : dwarf_.ranges_of(*root, budget))
      if (range.low != 0) roots_->add(range.low, range.high, unit.offset);
  }
  roots_->sort();
}

const DwarfUnit* UnitIndex::at(uint64_t address) const {
  if (!listed_) read_listed();
  const RangeMap::Range* found = listed_->find(address);
  if (!found && !roots_) read_roots();
  if (!found) found = roots_->find(address);
  if (!found) return nullptr;
  auto& units = dwarf_.units();
  auto unit = std::ranges::lower_bound(units, found->id, {}, &DwarfUnit::offset);
  return unit != units.end() && unit->offset == found->id ? &*unit : nullptr;
}

}  // namespace strut
