// Debug information as libdw reads it. Private to symtab, as every header with libdw's types.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>

#include "symtab/elf/elf_file.hpp"

namespace strut {

struct Die;
struct Unit;

/// A section for libdw; the bytes must outlive the DwarfFile.
struct DwarfSection {
  const char* name;
  std::span<const std::byte> bytes;
};

/// The bases that a unit without addresses of its own takes from its skeleton (DWARF 5, 3.1.3).
struct SkeletonBases {
  uint64_t low_pc = 0;
  uint64_t old_ranges = 0;  ///< DW_AT_GNU_ranges_base: added to offsets of .debug_ranges
};

/// Owns the Elf and the Dwarf of one set of sections.
///
/// libdw does not see the ELF file itself but an ELF file in memory with views of that file's sections. Otherwise
/// dwarf_begin_elf() inflates every compressed section, whatever size it claims, and libdw opens any path of
/// .gnu_debugaltlink or DW_AT_dwo_name, in strut's own mount namespace. libdw 0.188 has neither zstd nor packages
/// (.dwp): with views both need no other reader. Not for use by several threads at once.
class DwarfFile {
 public:
  /// The debug information of an ELF file, which must outlive it. nullptr: it has none.
  static std::unique_ptr<DwarfFile> of(const ElfFile& file);
  /// `file` gives the class, byte order and machine. nullptr: libdw finds nothing in the sections.
  static std::unique_ptr<DwarfFile> over(const ElfFile& file, std::span<const DwarfSection> sections);
  DwarfFile(const DwarfFile&) = delete;
  DwarfFile& operator=(const DwarfFile&) = delete;
  ~DwarfFile();

  Dwarf* handle() const { return dwarf_; }
  std::span<const std::byte> section(std::string_view name) const;
  /// In the order of the file, up to the first header that is cut or malformed; type units of DWARF 4 come last.
  std::vector<Unit> units() const;
  /// As many entries of range lists as an honest file of this size could refer to.
  uint64_t range_budget() const;

  /// The file that .gnu_debugaltlink names (dwz(1)); must outlive this. Without it such references lead nowhere.
  void set_supplementary(const DwarfFile* file);
  const DwarfFile* supplementary() const { return supplementary_; }
  std::optional<SkeletonBases> bases;  ///< for split units
  /// Finds a type by its signature where libdw cannot: in another part of a package.
  std::function<std::optional<Die>(uint64_t)> types_elsewhere;

 private:
  DwarfFile() = default;
  bool open(std::span<const DwarfSection> sections);

  std::vector<DwarfSection> sections_;
  std::vector<std::byte> headers_;  ///< the ELF file in memory
  Elf* elf_ = nullptr;
  Dwarf* dwarf_ = nullptr;
  const DwarfFile* supplementary_ = nullptr;
};

}  // namespace strut
