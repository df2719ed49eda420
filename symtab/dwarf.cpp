#include "symtab/dwarf.hpp"

#include <algorithm>

#include "symtab/dwarf_constants.hpp"

namespace strut {

namespace {

constexpr const char* kSections[] = {".debug_info",        ".debug_abbrev", ".debug_line",   ".debug_str",      ".debug_line_str",
                                     ".debug_str_offsets", ".debug_addr",   ".debug_ranges", ".debug_rnglists", ".debug_aranges"};

/// nullopt: the header is cut or of a form that the standards do not have.
std::optional<DwarfUnit> take_unit(ByteReader& reader) {
  DwarfUnit unit;
  unit.offset = reader.at();
  uint64_t length = reader.take<uint32_t>();
  if (length == 0xffffffff) {
    unit.offset_bytes = 8;
    length = reader.take<uint64_t>();
  }
  if (!reader.ok() || length > reader.left()) return std::nullopt;
  unit.end = reader.at() + length;
  unit.version = reader.take<uint16_t>();
  if (unit.version >= 5) unit.type = reader.take<uint8_t>();
  if (unit.version >= 5) unit.address_bytes = reader.take<uint8_t>();
  unit.abbreviations = reader.take_number(unit.offset_bytes);
  if (unit.version < 5) unit.address_bytes = reader.take<uint8_t>();
  if (unit.type == dwarf::kUnitSkeleton || unit.type == dwarf::kUnitSplitCompile) reader.skip(8);
  if (unit.type == dwarf::kUnitType || unit.type == dwarf::kUnitSplitType) reader.skip(8u + unit.offset_bytes);
  unit.root = reader.at();
  if (!reader.ok() || unit.root > unit.end) return std::nullopt;
  return unit;
}

bool is_known(const DwarfUnit& unit) {
  return unit.version >= 2 && unit.version <= 5 && (unit.address_bytes == 4 || unit.address_bytes == 8);
}

}  // namespace

std::span<const std::byte> Dwarf::part(Part part) const {
  auto& slot = parts_[static_cast<size_t>(part)];
  if (slot) return *slot;
  std::string_view name = kSections[static_cast<size_t>(part)];
  const Section* section = file_.section(name);
  if (!section) section = file_.section(".z" + std::string(name.substr(1)));  // compressed in GNU's older way
  slot = section ? file_.contents(*section) : std::span<const std::byte>();
  return *slot;
}

const std::vector<DwarfUnit>& Dwarf::units() const {
  if (units_) return *units_;
  units_.emplace();
  ByteReader reader(part(Part::Info));
  while (!reader.at_end()) {
    std::optional<DwarfUnit> unit = take_unit(reader);
    if (!unit) break;
    if (is_known(*unit)) units_->push_back(*unit);
    reader.seek(unit->end);
  }
  return *units_;
}

const DwarfUnit* Dwarf::unit_with(uint64_t offset) const {
  auto above = std::ranges::upper_bound(units(), offset, {}, &DwarfUnit::offset);
  if (above == units().begin()) return nullptr;
  const DwarfUnit& unit = *std::prev(above);
  return offset >= unit.root && offset < unit.end ? &unit : nullptr;
}

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
  for (const AttributeSpec& spec : abbreviations_of(*die.unit).attributes(*die.abbreviation)) take_value(reader, *die.unit, spec);
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

AttributeValue Dwarf::attribute(const Die& die, uint16_t name) const { return resolve(raw_attribute(die, name), *die.unit); }

std::optional<Die> Dwarf::follow(const Die& die, uint16_t name) const {
  AttributeValue value = raw_attribute(die, name);
  const Dwarf* file = value.kind == AttributeValue::Kind::AltReference ? supplementary_ : this;
  if (value.kind != AttributeValue::Kind::Reference && value.kind != AttributeValue::Kind::AltReference) return std::nullopt;
  const DwarfUnit* unit = file ? file->unit_with(value.number) : nullptr;
  std::optional<Die> found = unit ? file->die_at(*unit, value.number) : std::nullopt;
  return found && found->abbreviation ? found : std::nullopt;
}

const Dwarf::Bases& Dwarf::bases_of(const DwarfUnit& unit) const {
  auto [slot, is_new] = bases_.try_emplace(unit.offset);
  if (!is_new) return slot->second;
  std::optional<Die> root = root_of(unit);
  if (!root) return slot->second;
  slot->second.strings = raw_attribute(*root, dwarf::kStrOffsetsBase).number;
  slot->second.addresses = raw_attribute(*root, dwarf::kAddrBase).number;
  slot->second.range_lists = raw_attribute(*root, dwarf::kRnglistsBase).number;
  slot->second.low_pc = attribute(*root, dwarf::kLowPc).number;  // may be an index: needs the bases
  return slot->second;
}

}  // namespace strut
