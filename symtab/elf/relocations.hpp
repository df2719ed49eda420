// Relocations: the words that the dynamic linker must fill in (elf(5), "Relocation entries").
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// A relocation of either class, with or without an addend.
struct Relocation {
  uint64_t at = 0;      ///< the address that is filled in
  uint32_t type = 0;    ///< R_X86_64_, R_386_
  uint32_t symbol = 0;  ///< an index; 0: none
  int64_t addend = 0;
  std::string_view name;    ///< for the symbol; lives as long as the file
  uint8_t symbol_type = 0;  ///< STT_ of it
};

/// All of them, section by section in the order of the file, but for those that packed_relocations_of() has.
std::vector<Relocation> relocations_of(const ElfFile& file);

/// Addresses of words to which the place of the file is added, and no more is said of them (SHT_RELR; generic ABI,
/// "Relative Relocation Table"): in the file such a word holds its addend. In the file's order; a file that names more
/// of them than it has words is believed as many.
std::vector<uint64_t> packed_relocations_of(const ElfFile& file);

}  // namespace strut
