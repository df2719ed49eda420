// The entries of .debug_info, as the DWARF 2 to 5 standards lay them out. Not a byte is trusted: every offset, count
// and chain is bounded, whatever a file says.
//
// strut has a reader of its own because libdw decompresses every section of a file when it is opened, and because what
// can be fuzzed with coverage can be bounded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "symtab/byte_reader.hpp"
#include "symtab/dwarf_abbreviations.hpp"
#include "symtab/elf_file.hpp"

namespace strut {

/// A unit of .debug_info (DWARF 5, 7.5.1) or .debug_types (DWARF 4, 7.5.1.2). Offsets are of the section.
struct DwarfUnit {
  uint64_t offset = 0, end = 0;
  uint64_t root = 0;  ///< of its first entry
  uint64_t abbreviations = 0;
  /// Of a type unit its type's signature; of a skeleton and what was split off from it the same number.
  uint64_t id = 0;
  uint64_t type_at = 0;                         ///< of a type unit: its type's entry
  uint64_t strings_at = 0, range_lists_at = 0;  ///< in a package (.dwp): where its parts of those sections begin
  uint16_t version = 0;
  uint8_t type = 0;  ///< dwarf::UnitType
  uint8_t address_bytes = 8;
  uint8_t offset_bytes = 4;  ///< 8: 64-bit DWARF
};

class Dwarf;

/// One entry. Valid as long as its Dwarf.
struct Die {
  const Dwarf* file = nullptr;
  const DwarfUnit* unit = nullptr;
  uint64_t offset = 0;
  uint64_t attributes_at = 0;
  const Abbreviation* abbreviation = nullptr;  ///< nullptr: the null entry that ends a list of siblings

  uint16_t tag() const { return abbreviation ? abbreviation->tag : 0; }
};

/// What an attribute says. Strings and addresses by index or offset are looked up already.
struct AttributeValue {
  enum class Kind : uint8_t {
    None,    ///< the attribute is not there, or cannot be read
    Number,  ///< constants, flags and section offsets
    Signed,  ///< the same, of a form with a sign
    Address,
    Text,
    Reference,     ///< number: an offset of .debug_info
    AltReference,  ///< the same, in the supplementary file
    Signature,     ///< number: of a type, in a unit of its own
    RangeIndex,    ///< of DW_FORM_rnglistx
    Block,
    StringAt,
    LineStringAt,
    AltStringAt,
    StringIndex,
    AddressIndex,  ///< on the way to Text and Address
  };
  Kind kind = Kind::None;
  uint64_t number = 0;
  std::string_view text;
  std::span<const std::byte> block;

  bool is_number() const { return kind == Kind::Number || kind == Kind::Signed; }
};

struct AddressRange {
  uint64_t low = 0, high = 0;
  bool contains(uint64_t address) const { return address >= low && address < high; }
};

/// Whether a walk over entries goes on to the children of the one it shows.
enum class Descend : uint8_t { Into, Over, Stop };

/// The debug information of one file. Sections are read (and decompressed) when they are first asked for. Not for use
/// by several threads at once. The file, and the supplementary one (DWARF 5, 7.3.6; dwz(1)), must outlive it.
class Dwarf {
 public:
  enum class Part : uint8_t {
    Info,
    Abbreviations,
    Lines,
    Strings,
    LineStrings,
    StringOffsets,
    Addresses,
    Ranges,
    RangeLists,
    AddressRanges
  };

  explicit Dwarf(const ElfFile& file, const Dwarf* supplementary = nullptr)
      : file_(file), supplementary_(supplementary) {}
  /// What was split off into a file of its own: a .dwo, or a package of many, .dwp (DWARF 5, 7.3.2). `skeletons`: what
  /// it was split off from, which has its addresses; must outlive it.
  struct SplitFrom {
    const Dwarf& skeletons;
  };
  Dwarf(const ElfFile& file, SplitFrom from) : file_(file), supplementary_(nullptr), skeletons_(&from.skeletons) {}
  Dwarf(const Dwarf&) = delete;
  Dwarf& operator=(const Dwarf&) = delete;

  /// Empty: the file has no such section, or it cannot be read.
  std::span<const std::byte> part(Part part) const;
  /// In the order of the file, up to the first header that is cut or malformed.
  const std::vector<DwarfUnit>& units() const;
  /// The unit that has an entry's offset.
  const DwarfUnit* unit_with(uint64_t offset) const;
  /// Of a skeleton or a unit of a split file: what the two have in common; 0: it is neither.
  uint64_t split_id(const DwarfUnit& unit) const;
  /// Of a split file: the unit with such a number, which belongs to this skeleton. nullptr: there is none.
  const DwarfUnit* unit_of(const DwarfUnit& skeleton, uint64_t split_id) const;

  /// The entry at an offset of a unit. nullopt: there is none.
  std::optional<Die> die_at(const DwarfUnit& unit, uint64_t offset) const;
  std::optional<Die> root_of(const DwarfUnit& unit) const { return die_at(unit, unit.root); }
  AttributeValue attribute(const Die& die, uint16_t name) const;
  bool has(const Die& die, uint16_t name) const { return attribute(die, name).kind != AttributeValue::Kind::None; }
  /// The entry that an attribute refers to.
  std::optional<Die> follow(const Die& die, uint16_t name) const;
  /// The first byte behind an entry's attributes.
  uint64_t end_of(const Die& die) const;
  /// Shows `from` and the entries below it in their order to `visit(Die, depth) -> Descend`; `from` has depth 0.
  template <typename Visit>
  void walk(const Die& from, Visit visit) const;

  /// Where an entry's code lies. `budget`: of list entries; what is read is taken off.
  std::vector<AddressRange> ranges_of(const Die& die, uint64_t& budget) const;
  /// As many list entries as honest lists of this file could have.
  uint64_t range_budget() const;

  std::string_view string_at(Part strings, uint64_t offset) const;
  /// For values outside .debug_info: takes one of a form, and looks up what it took.
  AttributeValue take_value(ByteReader& reader, const DwarfUnit& unit, const AttributeSpec& spec) const;
  AttributeValue resolve(AttributeValue value, const DwarfUnit& unit) const;
  const Dwarf* supplementary() const { return supplementary_; }

 private:
  struct Bases {  ///< where a unit's parts of the indexed sections begin
    uint64_t strings = 0, addresses = 0, range_lists = 0, low_pc = 0;
    uint64_t old_ranges = 0;  ///< of GNU's split units: what is added to their offsets of .debug_ranges
  };
  struct OfTypes {
    const Dwarf& home;
  };
  explicit Dwarf(OfTypes of)
      : file_(of.home.file_), supplementary_(of.home.supplementary_), skeletons_(of.home.skeletons_), home_(&of.home) {}
  const Dwarf* types() const;
  using UnitsById = std::unordered_map<uint64_t, size_t>;  ///< to positions in units_
  enum class Units : uint8_t { Compiled, OfTypes };
  const DwarfUnit* with_id(std::optional<UnitsById>& known, uint64_t id, Units wanted) const;
  std::optional<Die> type_with(uint64_t signature) const;
  std::span<const std::byte> joined(std::string_view section) const;
  void place_units() const;
  Bases split_bases(const DwarfUnit& unit) const;
  AttributeValue raw_attribute(const Die& die, uint16_t name) const;
  uint64_t address_by_index(const DwarfUnit& unit, uint64_t index) const;
  const Bases& bases_of(const DwarfUnit& unit) const;
  const Abbreviations& abbreviations_of(const DwarfUnit& unit) const;
  std::vector<AddressRange> old_ranges(const DwarfUnit& unit, uint64_t at, uint64_t& budget) const;
  std::vector<AddressRange> range_list(const DwarfUnit& unit, uint64_t at, uint64_t& budget) const;
  uint64_t next_sibling(const Die& die) const;

  static constexpr size_t kParts = 10;
  const ElfFile& file_;
  const Dwarf* supplementary_;
  const Dwarf* skeletons_ = nullptr;  ///< of a split file
  const Dwarf* home_ = nullptr;       ///< of .debug_types: what has everything but that section
  mutable std::array<std::optional<std::span<const std::byte>>, kParts> parts_;
  mutable std::vector<std::vector<std::byte>> joined_;         ///< parts that a file has in pieces
  mutable std::optional<std::unique_ptr<const Dwarf>> types_;  ///< .debug_types
  mutable std::optional<UnitsById> units_by_id_, types_by_id_;
  mutable std::map<uint64_t, const DwarfUnit*> skeleton_of_;  ///< by the offset of a split unit
  mutable std::optional<std::vector<DwarfUnit>> units_;
  mutable std::map<uint64_t, Abbreviations> abbreviations_;  ///< by offset
  mutable uint64_t abbreviation_budget_ = 0;
  mutable uint64_t last_table_ = 0;
  mutable const Abbreviations* last_abbreviations_ = nullptr;  ///< of last_table_: entries come in rows
  mutable std::map<uint64_t, Bases> bases_;                    ///< by a unit's offset
};

template <typename Visit>
void Dwarf::walk(const Die& from, Visit visit) const {
  uint64_t at = from.offset;
  int depth = 0;
  while (at < from.unit->end) {
    std::optional<Die> die = die_at(*from.unit, at);
    if (!die) return;
    if (!die->abbreviation) {  // the end of a list
      if (--depth <= 0) return;
      at = die->attributes_at;
      continue;
    }
    Descend descend = visit(*die, depth);
    if (descend == Descend::Stop) return;
    bool into = descend == Descend::Into && die->abbreviation->has_children;
    at = into || !die->abbreviation->has_children ? end_of(*die) : next_sibling(*die);
    if (into) depth++;
    if (depth == 0) return;
  }
}

}  // namespace strut
