// One entry of debug information, as libdw reads it. Private to symtab.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <dwarf.h>

#include "symtab/dwarf/dwarf_file.hpp"

namespace strut {

struct AddressRange {
  uint64_t low = 0, high = 0;
  bool contains(uint64_t address) const { return address >= low && address < high; }
};

/// Whether a walk over entries goes on to the children of the one that it shows.
enum class Descend : uint8_t { Into, Over, Stop };

/// Valid as long as its file. Attributes are named DW_AT_; missing or unreadable ones are empty.
struct Die {
  const DwarfFile* file = nullptr;
  mutable Dwarf_Die entry{};  ///< libdw caches results in it

  unsigned tag() const { return static_cast<unsigned>(::dwarf_tag(&entry)); }
  bool has(unsigned attribute) const { return ::dwarf_hasattr(&entry, attribute) != 0; }
  std::string_view text(unsigned attribute) const;
  std::optional<uint64_t> number(unsigned attribute) const;
  std::span<const std::byte> block(unsigned attribute) const;
  /// The entry that an attribute refers to, in this file, its supplementary file or another unit of its package.
  std::optional<Die> follow(unsigned attribute) const;
  /// The root of its unit.
  Die root() const;
  /// The entry at an address that another entry of this unit had.
  Die at(void* address) const { return {file, {address, entry.cu, nullptr, 0}}; }
  uint8_t address_bytes() const;

  /// The ranges of its code. `budget`: of list entries; read ones are subtracted.
  std::vector<AddressRange> ranges(uint64_t& budget) const;
  /// Shows this entry and those below it in their order to `visit(Die, depth) -> Descend`; this one has depth 0.
  template <typename Visit>
  void walk(Visit visit) const;

 private:
  std::optional<ptrdiff_t> split_ranges_at() const;
  bool step(int& depth, Descend descend);
};

/// A unit by its root; `id`: of a skeleton and its split unit the same number, of a type unit the type's signature.
struct Unit {
  Die root;
  uint8_t type = 0;  ///< DW_UT_
  uint64_t id = 0;

  bool has_type() const { return type == DW_UT_type || type == DW_UT_split_type; }
};

/// The entry that lies at an address in memory; nullopt: no unit of the file has it.
std::optional<Die> die_at(const DwarfFile& file, void* entry);

template <typename Visit>
void Die::walk(Visit visit) const {
  Die at = *this;
  for (int depth = 0;;) {
    Descend descend = visit(at, depth);
    if (descend == Descend::Stop || !at.step(depth, descend)) return;
  }
}

}  // namespace strut
