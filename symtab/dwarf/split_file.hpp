// A file of debug information that a compiler kept out of the linked file: a .dwo, or a package of many (.dwp). Private
// to symtab.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "symtab/dwarf/die.hpp"
#include "symtab/dwarf/package_index.hpp"

namespace strut {

/// The parts of its skeleton that a unit of the file uses. Views live as long as the skeleton's file.
struct SkeletonParts {
  uint64_t id = 0;
  SkeletonBases bases;
  std::span<const std::byte> addresses;   ///< .debug_addr, from the skeleton's part on
  std::span<const std::byte> old_ranges;  ///< .debug_ranges, whole: before DWARF 5 lists of ranges are not split off
};

class SplitFile {
 public:
  explicit SplitFile(ElfFile file) : file_(std::move(file)) {}
  SplitFile(const SplitFile&) = delete;
  SplitFile& operator=(const SplitFile&) = delete;

  /// The root of the unit that a skeleton stands for; lives as long as this. nullopt: the file does not have it.
  std::optional<Die> unit_of(const SkeletonParts& skeleton);

 private:
  using Of = PackageIndex::Of;
  const PackageIndex& index(Of of);
  std::span<const std::byte> joined(std::string_view section);
  std::span<const std::byte> part(std::string_view section, uint64_t from);
  std::optional<std::vector<DwarfSection>> sections_of(uint64_t id, Of of);
  std::optional<Die> type_of(uint64_t signature);
  std::optional<Die> type_in(Of of, uint64_t signature);

  ElfFile file_;
  std::optional<PackageIndex> units_, old_types_;
  std::map<std::string, std::vector<std::byte>, std::less<>> joined_;  ///< by section; sections that come in pieces
  std::vector<std::unique_ptr<DwarfFile>> files_;                      ///< one for each unit that was asked for
  std::map<uint64_t, std::optional<Die>> types_;                       ///< by signature
};

}  // namespace strut
