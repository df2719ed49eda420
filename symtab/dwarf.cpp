#include "symtab/dwarf.hpp"

#include <algorithm>

#include "symtab/dwarf_constants.hpp"

namespace strut {

const Abbreviations& Dwarf::abbreviations_of(const DwarfUnit& unit) const {
  if (last_abbreviations_ && last_table_ == unit.abbreviations) return *last_abbreviations_;
  // Honest tables are shared or lie side by side.
  if (abbreviations_.empty()) abbreviation_budget_ = 4 * part(Part::Abbreviations).size();
  auto [slot, is_new] = abbreviations_.try_emplace(unit.abbreviations);
  if (is_new) slot->second = Abbreviations(part(Part::Abbreviations), unit.abbreviations, abbreviation_budget_);
  last_table_ = unit.abbreviations;
  last_abbreviations_ = &slot->second;
  return slot->second;
}

std::optional<Die> Dwarf::die_at(const DwarfUnit& unit, uint64_t offset) const {
  if (offset < unit.root || offset >= unit.end) return std::nullopt;
  ByteReader reader(part(Part::Info).first(unit.end), offset);
  Die die{this, &unit, offset, 0, nullptr};
  uint64_t code = reader.take_uleb();
  if (!reader.ok()) return std::nullopt;
  die.attributes_at = reader.at();
  if (code == 0) return die;
  die.abbreviation = abbreviations_of(unit).find(code);
  if (!die.abbreviation) return std::nullopt;
  return die;
}

uint64_t Dwarf::end_of(const Die& die) const {
  ByteReader reader(part(Part::Info).first(die.unit->end), die.attributes_at);
  if (!die.abbreviation) return die.attributes_at;
  for (const AttributeSpec& spec : abbreviations_of(*die.unit).attributes(*die.abbreviation))
    take_value(reader, *die.unit, spec);
  return reader.ok() ? reader.at() : die.unit->end;
}

/// The entry behind a subtree, by DW_AT_sibling where it is given.
uint64_t Dwarf::next_sibling(const Die& die) const {
  AttributeValue sibling = raw_attribute(die, dwarf::kSibling);
  if (sibling.kind == AttributeValue::Kind::Reference && sibling.number > die.attributes_at) return sibling.number;
  uint64_t at = end_of(die);
  for (int depth = 1; depth > 0 && at < die.unit->end;) {
    std::optional<Die> below = die_at(*die.unit, at);
    if (!below) return die.unit->end;
    if (!below->abbreviation) depth--;
    else if (below->abbreviation->has_children) depth++;
    at = end_of(*below);
  }
  return at;
}

AttributeValue Dwarf::raw_attribute(const Die& die, uint16_t name) const {
  if (!die.abbreviation) return {};
  ByteReader reader(part(Part::Info).first(die.unit->end), die.attributes_at);
  for (const AttributeSpec& spec : abbreviations_of(*die.unit).attributes(*die.abbreviation)) {
    AttributeValue value = take_value(reader, *die.unit, spec);
    if (!reader.ok()) return {};
    if (spec.name == name) return value;
  }
  return {};
}

AttributeValue Dwarf::attribute(const Die& die, uint16_t name) const {
  return resolve(raw_attribute(die, name), *die.unit);
}

std::optional<Die> Dwarf::follow(const Die& die, uint16_t name) const {
  AttributeValue value = raw_attribute(die, name);
  if (value.kind == AttributeValue::Kind::Signature) return type_with(value.number);
  const Dwarf* file = value.kind == AttributeValue::Kind::AltReference ? supplementary_ : this;
  if (value.kind != AttributeValue::Kind::Reference && value.kind != AttributeValue::Kind::AltReference)
    return std::nullopt;
  const DwarfUnit* unit = file ? file->unit_with(value.number) : nullptr;
  std::optional<Die> found = unit ? file->die_at(*unit, value.number) : std::nullopt;
  return found && found->abbreviation ? found : std::nullopt;
}

const Dwarf::Bases& Dwarf::bases_of(const DwarfUnit& unit) const {
  auto [slot, is_new] = bases_.try_emplace(unit.offset);
  if (!is_new) return slot->second;
  if (skeletons_) return slot->second = split_bases(unit);
  std::optional<Die> root = root_of(unit);
  if (!root) return slot->second;
  Bases& bases = slot->second;
  bases.strings = raw_attribute(*root, dwarf::kStrOffsetsBase).number;
  bases.addresses = raw_attribute(*root, unit.version < 5 ? dwarf::kGnuAddrBase : dwarf::kAddrBase).number;
  bases.range_lists = raw_attribute(*root, dwarf::kRnglistsBase).number;
  bases.old_ranges = raw_attribute(*root, dwarf::kGnuRangesBase).number;
  bases.low_pc = attribute(*root, dwarf::kLowPc).number;  // may be an index: needs the bases
  return bases;
}

/// Addresses are the skeleton's; the unit's parts of other sections begin with a header from DWARF 5 on (7.26, 7.28).
Dwarf::Bases Dwarf::split_bases(const DwarfUnit& unit) const {
  Bases bases;
  auto skeleton = skeleton_of_.find(unit.offset);
  if (skeleton != skeleton_of_.end()) bases = skeletons_->bases_of(*skeleton->second);
  bool is_wide = unit.offset_bytes == 8, has_headers = unit.version >= 5;
  uint64_t strings_header = is_wide ? 16 : 8, lists_header = is_wide ? 20 : 12;
  bases.strings = unit.strings_at + (has_headers ? strings_header : 0);
  bases.range_lists = unit.range_lists_at + (has_headers ? lists_header : 0);
  return bases;
}

}  // namespace strut
