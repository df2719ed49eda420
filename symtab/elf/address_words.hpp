// Words of a module that hold addresses of its own once the dynamic linker has filled them in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

struct AddressWord {
  uint64_t at = 0;       ///< the word's address …
  uint64_t address = 0;  ///< … and the one that it will hold, both as the file has addresses
};

/// By relocation, of x86-64 files, in the order of the file: R_X86_64_GLOB_DAT and R_X86_64_64 to symbols that the
/// module defines (another module may define them, too, and come first), and R_X86_64_RELATIVE. Not packed ones
/// (packed_relocations_of()).
std::vector<AddressWord> address_words_of(const ElfFile& file);

/// Finds them by place.
class AddressWords {
 public:
  explicit AddressWords(const ElfFile& file);
  /// The address that the word at `place` will hold.
  std::optional<uint64_t> at(uint64_t place) const;

 private:
  std::vector<AddressWord> ascending_;
};

}  // namespace strut
