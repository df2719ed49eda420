// The sections of debug information, the units in them, and which unit has a type or what was split off from another.
#include <algorithm>

#include "symtab/dwarf.hpp"
#include "symtab/dwarf_constants.hpp"
#include "symtab/dwarf_package.hpp"

namespace strut {

namespace {

constexpr std::string_view kSections[] = {".debug_info",     ".debug_abbrev",      ".debug_line", ".debug_str",
                                          ".debug_line_str", ".debug_str_offsets", ".debug_addr", ".debug_ranges",
                                          ".debug_rnglists", ".debug_aranges"};
constexpr std::string_view kTypes = ".debug_types", kSplit = ".dwo";

bool has_id(const DwarfUnit& unit) {
  return unit.type == dwarf::kUnitSkeleton || unit.type == dwarf::kUnitSplitCompile;
}
bool has_type(const DwarfUnit& unit) { return unit.type == dwarf::kUnitType || unit.type == dwarf::kUnitSplitType; }

/// nullopt: the header is cut or of a form that the standards do not have.
std::optional<DwarfUnit> take_unit(ByteReader& reader, bool of_types) {
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
  if (of_types) unit.type = dwarf::kUnitType;
  if (has_id(unit) || has_type(unit)) unit.id = reader.take<uint64_t>();
  if (has_type(unit)) unit.type_at = unit.offset + reader.take_number(unit.offset_bytes);
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
  if (home_ && part != Part::Info) return *(slot = home_->part(part));
  if (skeletons_ && (part == Part::Addresses || part == Part::Ranges)) return *(slot = skeletons_->part(part));
  std::string_view name = home_ ? kTypes : kSections[static_cast<size_t>(part)];
  if (skeletons_) return *(slot = joined(std::string(name).append(kSplit)));
  const Section* section = file_.section(name);
  if (!section) section = file_.section(".z" + std::string(name.substr(1)));  // compressed in GNU's older way
  slot = section ? file_.contents(*section) : std::span<const std::byte>();
  return *slot;
}

/// A .dwo is cut out of an object file, which has a section for each type. Honest ones do not overlap.
std::span<const std::byte> Dwarf::joined(std::string_view section) const {
  std::vector<const Section*> pieces;
  uint64_t bytes = 0, most = file_.bytes().size();
  for (const Section& piece : file_.sections())
    if (piece.name == section && (bytes += piece.bytes) <= most) pieces.push_back(&piece);
  if (pieces.empty()) return {};
  if (pieces.size() == 1) return file_.contents(*pieces[0]);
  std::vector<std::byte>& whole = joined_.emplace_back();
  for (const Section* piece : pieces) {
    std::span<const std::byte> contents = file_.contents(*piece);
    whole.insert(whole.end(), contents.begin(), contents.end());
  }
  return whole;
}

const std::vector<DwarfUnit>& Dwarf::units() const {
  if (units_) return *units_;
  units_.emplace();
  ByteReader reader(part(Part::Info));
  while (!reader.at_end()) {
    std::optional<DwarfUnit> unit = take_unit(reader, home_ != nullptr);
    if (!unit) break;
    if (is_known(*unit)) units_->push_back(*unit);
    reader.seek(unit->end);
  }
  if (skeletons_) place_units();
  return *units_;
}

/// In a package each unit has its own part of each section; an index says where.
void Dwarf::place_units() const {
  PackageIndex index(file_, home_ ? PackageIndex::Of::OldTypes : PackageIndex::Of::Units);
  for (DwarfUnit& unit : *units_) {
    const PackageIndex::Row* row = index.row_with(unit.offset);
    if (!row) continue;
    unit.abbreviations += row->abbreviations;
    unit.strings_at = row->string_offsets;
    unit.range_lists_at = row->range_lists;
    if (unit.id == 0) unit.id = row->id;
  }
}

const DwarfUnit* Dwarf::unit_with(uint64_t offset) const {
  auto above = std::ranges::upper_bound(units(), offset, {}, &DwarfUnit::offset);
  if (above == units().begin()) return nullptr;
  const DwarfUnit& unit = *std::prev(above);
  return offset >= unit.root && offset < unit.end ? &unit : nullptr;
}

uint64_t Dwarf::split_id(const DwarfUnit& unit) const {
  if (unit.version >= 5) return has_id(unit) ? unit.id : 0;
  std::optional<Die> root = has_type(unit) ? std::nullopt : root_of(unit);
  return root ? raw_attribute(*root, dwarf::kGnuDwoId).number : 0;
}

const DwarfUnit* Dwarf::unit_of(const DwarfUnit& skeleton, uint64_t id) const {
  const DwarfUnit* unit = with_id(units_by_id_, id, Units::Compiled);
  if (!unit) return nullptr;
  skeleton_of_[unit->offset] = &skeleton;
  bases_.erase(unit->offset);  // may have been looked at without its addresses
  return unit;
}

const DwarfUnit* Dwarf::with_id(std::optional<UnitsById>& known, uint64_t id, Units wanted) const {
  if (!known) {
    known.emplace();
    for (size_t i = 0; i < units().size(); i++) {
      const DwarfUnit& unit = units()[i];
      if (has_type(unit) == (wanted == Units::OfTypes)) known->try_emplace(unit.id != 0 ? unit.id : split_id(unit), i);
    }
  }
  auto found = known->find(id);
  return found == known->end() ? nullptr : &units()[found->second];
}

const Dwarf* Dwarf::types() const {
  if (!types_) {
    types_.emplace(new Dwarf(OfTypes{*this}));
    if ((*types_)->part(Part::Info).empty()) types_->reset();
  }
  return types_->get();
}

std::optional<Die> Dwarf::type_with(uint64_t signature) const {
  const Dwarf& home = home_ ? *home_ : *this;
  for (const Dwarf* file : {&home, home.types()}) {
    const DwarfUnit* unit = file ? file->with_id(file->types_by_id_, signature, Units::OfTypes) : nullptr;
    std::optional<Die> type = unit ? file->die_at(*unit, unit->type_at) : std::nullopt;
    if (type && type->abbreviation) return type;
  }
  return std::nullopt;
}

}  // namespace strut
