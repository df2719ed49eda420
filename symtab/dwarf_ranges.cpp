// Where code lies: DW_AT_low_pc and DW_AT_high_pc, .debug_ranges (DWARF 4, 2.17.3) and .debug_rnglists (DWARF 5, 7.25).
#include "symtab/dwarf.hpp"
#include "symtab/dwarf_constants.hpp"

namespace strut {

using Kind = AttributeValue::Kind;

uint64_t Dwarf::range_budget() const {
  // An entry has two bytes at least; dwz(1) lets entries share lists.
  return 64 * 1024 + 4 * (part(Part::Ranges).size() + part(Part::RangeLists).size()) + part(Part::Info).size();
}

std::vector<AddressRange> Dwarf::old_ranges(const DwarfUnit& unit, uint64_t at, uint64_t& budget) const {
  std::vector<AddressRange> ranges;
  ByteReader reader(part(Part::Ranges), at);
  uint64_t most = unit.address_bytes == 8 ? ~uint64_t{0} : 0xffffffff;
  uint64_t base = bases_of(unit).low_pc;
  for (; budget > 0; budget--) {
    uint64_t low = reader.take_number(unit.address_bytes), high = reader.take_number(unit.address_bytes);
    if (!reader.ok() || (low == 0 && high == 0)) break;
    if (low == most) base = high;
    else ranges.push_back({base + low, base + high});
  }
  return ranges;
}

std::vector<AddressRange> Dwarf::range_list(const DwarfUnit& unit, uint64_t at, uint64_t& budget) const {
  std::vector<AddressRange> ranges;
  ByteReader reader(part(Part::RangeLists), at);
  uint64_t base = bases_of(unit).low_pc;
  auto address = [&] { return reader.take_number(unit.address_bytes); };
  auto indexed = [&] { return address_by_index(unit, reader.take_uleb()); };
  for (; budget > 0 && reader.ok(); budget--) {
    AddressRange range;
    switch (reader.take<uint8_t>()) {
      case dwarf::kBaseAddressx: base = indexed(); continue;
      case dwarf::kBaseAddress: base = address(); continue;
      case dwarf::kStartxEndx: range.low = indexed(), range.high = indexed(); break;
      case dwarf::kStartxLength: range.low = indexed(), range.high = range.low + reader.take_uleb(); break;
      case dwarf::kOffsetPair: range.low = base + reader.take_uleb(), range.high = base + reader.take_uleb(); break;
      case dwarf::kStartEnd: range.low = address(), range.high = address(); break;
      case dwarf::kStartLength: range.low = address(), range.high = range.low + reader.take_uleb(); break;
      default: return ranges;
    }
    if (reader.ok()) ranges.push_back(range);
  }
  return ranges;
}

std::vector<AddressRange> Dwarf::ranges_of(const Die& die, uint64_t& budget) const {
  AttributeValue list = raw_attribute(die, dwarf::kRanges);
  const DwarfUnit& unit = *die.unit;
  // GNU's skeletons have offsets as they are, what was split off from them has them less a base.
  uint64_t base_of_old = skeletons_ ? bases_of(unit).old_ranges : 0;
  if (list.is_number() && unit.version < 5) return old_ranges(unit, base_of_old + list.number, budget);
  if (list.is_number()) return range_list(unit, list.number, budget);
  if (list.kind == Kind::RangeIndex) {
    std::span<const std::byte> bytes = part(Part::RangeLists);
    if (list.number >= bytes.size()) return {};
    uint64_t base = bases_of(unit).range_lists;
    return range_list(
        unit, base + ByteReader(bytes, base + list.number * unit.offset_bytes).take_number(unit.offset_bytes), budget);
  }
  AttributeValue low = attribute(die, dwarf::kLowPc), high = attribute(die, dwarf::kHighPc);
  if (low.kind != Kind::Address || high.kind == Kind::None) return {};
  return {{low.number, high.kind == Kind::Address ? high.number : low.number + high.number}};
}

}  // namespace strut
