// What of a file's own code it has pointers to.
#pragma once

#include <cstdint>
#include <vector>

#include "symtab/elf_file.hpp"

namespace strut {

/// Addresses that words of the file hold once the dynamic linker has moved them (R_X86_64_RELATIVE, SHT_RELR, and words
/// for symbols of its own), and all that bytes of its code would compute if they were a lea by %rip: too many rather
/// than too few. Not seen are distances between things (tables of offsets) and addresses that are put together
/// otherwise, which compilers do for no function.
class OwnPointers {
 public:
  /// Reads all of the code once: a millisecond for some megabytes.
  explicit OwnPointers(const ElfFile& file);
  bool to(uint64_t address) const;

 private:
  std::vector<uint64_t> addresses_;  ///< ascending
};

}  // namespace strut
