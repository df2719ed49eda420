#include "symtab/dwarf/package_index.hpp"

#include <algorithm>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

/// Columns by their section (DWARF 5, table 7.1). GNU's version has types at 2 and no lists of ranges.
enum SectionId : uint32_t { kInfo = 1, kOldTypes = 2, kAbbreviations = 3, kStringOffsets = 6, kRangeLists = 8 };

uint64_t* field_of(PackageIndex::Row& row, uint32_t id, uint32_t of_units, uint32_t version) {
  if (id == of_units) return &row.begin;
  if (id == kAbbreviations) return &row.abbreviations;
  if (id == kStringOffsets) return &row.string_offsets;
  if (id == kRangeLists && version >= 5) return &row.range_lists;
  return nullptr;
}

}  // namespace

PackageIndex::PackageIndex(const ElfFile& file, Of of) {
  auto read_section = [&](std::string_view name) {
    if (const Section* section = file.section(name)) read(file.contents(*section), of == Of::Units ? kInfo : kOldTypes);
  };
  if (of == Of::Units) read_section(".debug_cu_index");
  read_section(".debug_tu_index");
  std::ranges::stable_sort(rows_, {}, &Row::id);
}

/// A header; a table of slots with the numbers of units; their rows; the section of each column; rows of offsets; rows
/// of sizes.
void PackageIndex::read(std::span<const std::byte> index, uint32_t of_units) {
  ByteReader reader(index);
  auto version = reader.take<uint32_t>();  // in DWARF 5 two bytes, and two of padding
  auto columns = reader.take<uint32_t>(), units = reader.take<uint32_t>(), slots = reader.take<uint32_t>();
  uint64_t words = uint64_t{columns} * units * 2 + columns + uint64_t{slots} * 3;
  if (!reader.ok() || (version != 2 && version != 5) || columns == 0 || words > reader.left() / 4) return;
  std::span<const std::byte> ids = reader.take_bytes(slots * uint64_t{8}),
                             numbers = reader.take_bytes(slots * uint64_t{4});
  std::vector<Row> rows(units);
  ByteReader id(ids), number(numbers);
  for (uint32_t slot = 0; slot < slots; slot++) {
    auto its_id = id.take<uint64_t>();
    auto row = number.take<uint32_t>();  // from 1
    if (row != 0 && row <= units) rows[row - 1].id = its_id;
  }
  std::vector<uint32_t> of_columns(columns);
  for (uint32_t& of : of_columns) of = reader.take<uint32_t>();
  if (std::ranges::find(of_columns, of_units) == of_columns.end()) return;
  for (Row& row : rows)
    for (uint32_t of : of_columns) {
      uint64_t offset = reader.take<uint32_t>();
      if (uint64_t* field = field_of(row, of, of_units, version)) *field = offset;
    }
  for (Row& row : rows)
    for (uint32_t of : of_columns)
      if (uint64_t bytes = reader.take<uint32_t>(); of == of_units) row.end = row.begin + bytes;
  rows_.insert(rows_.end(), rows.begin(), rows.end());
}

const PackageIndex::Row* PackageIndex::row_of(uint64_t id) const {
  auto found = std::ranges::lower_bound(rows_, id, {}, &Row::id);
  return found != rows_.end() && found->id == id ? &*found : nullptr;
}

}  // namespace strut
