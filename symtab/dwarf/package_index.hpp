// The index of a package of split debug information (.dwp): which part of each section belongs to a unit. libdw reads
// it from elfutils 0.191 on, and there opens packages by itself, in strut's own mount namespace. Private to symtab.
#pragma once

#include <cstdint>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// .debug_cu_index and .debug_tu_index (DWARF 5, 7.3.5.3); version 2 is GNU's, of DWARF 4 (gcc's wiki,
/// "DebugFissionDWP").
class PackageIndex {
 public:
  /// Units of .debug_info.dwo, or of .debug_types.dwo, which DWARF 4 has for types.
  enum class Of : uint8_t { Units, OldTypes };
  /// Without rows if the file has no index, or one that makes no sense.
  PackageIndex(const ElfFile& file, Of of);

  struct Row {
    uint64_t id = 0;              ///< a unit's is its skeleton's, a type's is its signature
    uint64_t begin = 0, end = 0;  ///< for the section that has the units
    uint64_t abbreviations = 0, string_offsets = 0, range_lists = 0;  ///< where its parts of these begin
  };
  /// nullptr: none has such an id.
  const Row* row_of(uint64_t id) const;
  bool empty() const { return rows_.empty(); }

 private:
  void read(std::span<const std::byte> index, uint32_t of_units);
  std::vector<Row> rows_;  ///< ascending by id
};

}  // namespace strut
