// Words of a module that hold addresses of its own code once the dynamic linker has filled them in.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// By relocation, of x86-64 files: R_X86_64_GLOB_DAT and R_X86_64_64 to symbols that the module defines (another module
/// may define them, too, and come first), and R_X86_64_RELATIVE.
class AddressWords {
 public:
  explicit AddressWords(const ElfFile& file);
  /// The address that the word at `slot` will hold, as the file has addresses.
  std::optional<uint64_t> at(uint64_t slot) const;

 private:
  std::unordered_map<uint64_t, uint64_t> addresses_;
};

}  // namespace strut
