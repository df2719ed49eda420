#include "symtab/dwarf/split_file.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace strut {

namespace {

constexpr std::string_view kSplit = ".dwo";

const Unit* unit_with(const std::vector<Unit>& units, uint64_t id) {
  auto found = std::ranges::find_if(units, [id](const Unit& unit) { return unit.id == id; });
  return found == units.end() ? nullptr : &*found;
}

/// The type with the only unit of a part of a package. dwarf_cu_info() has it, too, but opens files for units of other
/// kinds.
std::optional<Die> type_in_unit(const DwarfFile& file, PackageIndex::Of of, uint64_t signature) {
  Dwarf_Off next = 0, type_at = 0;
  Die type{&file, {}};
  if (of == PackageIndex::Of::OldTypes) {
    size_t header = 0;
    uint64_t found = 0;
    bool is_it = ::dwarf_next_unit(file.handle(), 0, &next, &header, nullptr, nullptr, nullptr, nullptr, &found,
                                   &type_at) == 0 &&
                 found == signature;
    return is_it && ::dwarf_offdie_types(file.handle(), type_at, &type.entry) ? std::optional(type) : std::nullopt;
  }
  std::vector<Unit> units = file.units();
  const Unit* unit = unit_with(units, signature);
  if (!unit || !unit->has_type()) return std::nullopt;
  Dwarf_Die root;
  ::dwarf_cu_die(unit->root.entry.cu, &root, nullptr, nullptr, nullptr, nullptr, nullptr, &type_at);
  Dwarf_Off begin = ::dwarf_dieoffset(&root) - ::dwarf_cuoffset(&root);
  return ::dwarf_offdie(file.handle(), begin + type_at, &type.entry) ? std::optional(type) : std::nullopt;
}

}  // namespace

const PackageIndex& SplitFile::index(Of of) {
  std::optional<PackageIndex>& index = of == Of::Units ? units_ : old_types_;
  if (!index) index.emplace(file_, of);
  return *index;
}

/// A .dwo is cut out of an object file, which has a section for each type. Honest ones do not overlap.
std::span<const std::byte> SplitFile::joined(std::string_view name) {
  if (auto known = joined_.find(name); known != joined_.end()) return known->second;
  std::vector<const Section*> pieces;
  uint64_t bytes = 0, most = file_.bytes().size();
  for (const Section& piece : file_.sections())
    if (piece.name == name && (bytes += piece.bytes) <= most) pieces.push_back(&piece);
  if (pieces.empty()) return {};
  if (pieces.size() == 1) return file_.contents(*pieces[0]);
  std::vector<std::byte>& whole = joined_[std::string(name)];
  for (const Section* piece : pieces) {
    std::span<const std::byte> contents = file_.contents(*piece);
    whole.insert(whole.end(), contents.begin(), contents.end());
  }
  return whole;
}

std::span<const std::byte> SplitFile::part(std::string_view name, uint64_t from) {
  std::span<const std::byte> whole = joined(std::string(name).append(kSplit));
  return whole.subspan(std::min<uint64_t>(from, whole.size()));
}

/// The sections of a .dwo, or in a package the unit's own part of each. nullopt: the package does not have it.
std::optional<std::vector<DwarfSection>> SplitFile::sections_of(uint64_t id, Of of) {
  const PackageIndex& index = this->index(of);
  const PackageIndex::Row* row = index.row_of(id);
  bool is_package = !index.empty() || !this->index(Of::Units).empty();
  if (is_package && !row) return std::nullopt;
  PackageIndex::Row at = row ? *row : PackageIndex::Row{};
  std::vector<DwarfSection> sections = {{".debug_abbrev", part(".debug_abbrev", at.abbreviations)},
                                        {".debug_str", part(".debug_str", 0)},
                                        {".debug_str_offsets", part(".debug_str_offsets", at.string_offsets)},
                                        {".debug_rnglists", part(".debug_rnglists", at.range_lists)}};
  auto add_units = [&](const char* name) {
    std::span<const std::byte> whole = part(name, at.begin);
    sections.push_back({name, row ? whole.first(std::min<uint64_t>(at.end - at.begin, whole.size())) : whole});
  };
  if (of == Of::Units || !is_package) add_units(".debug_info");
  if (of == Of::OldTypes || !is_package) add_units(".debug_types");
  std::erase_if(sections, [](const DwarfSection& section) { return section.bytes.empty(); });
  // libdw takes a file with types alone for one without debug information. Nothing reads this section.
  static constexpr std::array<std::byte, 1> kNothing{};
  if (is_package && of == Of::OldTypes) sections.push_back({".debug_info", kNothing});
  return sections;
}

std::optional<Die> SplitFile::unit_of(const SkeletonParts& skeleton) {
  std::optional<std::vector<DwarfSection>> sections = sections_of(skeleton.id, Of::Units);
  if (!sections) return std::nullopt;
  if (!skeleton.addresses.empty()) sections->push_back({".debug_addr", skeleton.addresses});
  if (!skeleton.old_ranges.empty()) sections->push_back({".debug_ranges", skeleton.old_ranges});
  std::unique_ptr<DwarfFile> file = DwarfFile::over(file_, *sections);
  if (!file) return std::nullopt;
  std::vector<Unit> units = file->units();
  const Unit* unit = unit_with(units, skeleton.id);
  if (!unit || unit->has_type()) return std::nullopt;
  file->bases = skeleton.bases;
  file->types_elsewhere = [this](uint64_t signature) { return type_of(signature); };
  files_.push_back(std::move(file));
  return unit->root;
}

std::optional<Die> SplitFile::type_of(uint64_t signature) {
  auto [slot, is_new] = types_.try_emplace(signature);
  if (!is_new) return slot->second;
  std::optional<Die> found = type_in(Of::Units, signature);
  if (!found) found = type_in(Of::OldTypes, signature);
  return types_[signature] = found;
}

std::optional<Die> SplitFile::type_in(Of of, uint64_t signature) {
  if (!index(of).row_of(signature)) return std::nullopt;
  std::optional<std::vector<DwarfSection>> sections = sections_of(signature, of);
  std::unique_ptr<DwarfFile> file = sections ? DwarfFile::over(file_, *sections) : nullptr;
  if (!file) return std::nullopt;
  std::optional<Die> type = type_in_unit(*file, of, signature);
  file->types_elsewhere = [this](uint64_t other) { return type_of(other); };
  files_.push_back(std::move(file));
  return type;
}

}  // namespace strut
