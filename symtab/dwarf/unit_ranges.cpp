#include "symtab/dwarf/unit_ranges.hpp"

#include <algorithm>

namespace strut {

void UnitRanges::read_listed() const {
  listed_.emplace();
  Dwarf_Aranges* all = nullptr;
  size_t count = 0;
  if (::dwarf_getaranges(file_.handle(), &all, &count) != 0) return;
  for (size_t i = 0; i < count; i++) {
    Dwarf_Addr begin = 0;
    Dwarf_Word bytes = 0;
    Dwarf_Off unit = 0;
    if (::dwarf_getarangeinfo(::dwarf_onearange(all, i), &begin, &bytes, &unit) != 0) continue;
    listed_units_.push_back(unit);
    if (begin != 0) listed_->add(begin, begin + bytes, unit);  // at 0: code that the linker left out
  }
  listed_->sort();
  std::ranges::sort(listed_units_);
}

void UnitRanges::read_roots() const {
  roots_.emplace();
  uint64_t budget = file_.range_budget();
  for (const Unit& unit : file_.units()) {
    uint64_t offset = ::dwarf_dieoffset(&unit.root.entry);
    if (unit.has_type() || std::ranges::binary_search(listed_units_, offset)) continue;
    for (AddressRange range : unit.root.ranges(budget))
      if (range.low != 0) roots_->add(range.low, range.high, offset);
  }
  roots_->sort();
}

std::optional<Die> UnitRanges::at(uint64_t address) const {
  if (!listed_) read_listed();
  const RangeMap::Range* found = listed_->find(address);
  if (!found && !roots_) read_roots();
  if (!found) found = roots_->find(address);
  Die root{&file_, {}};
  if (!found || !::dwarf_offdie(file_.handle(), found->id, &root.entry)) return std::nullopt;
  return root;
}

}  // namespace strut
