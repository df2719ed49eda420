// The parts of a file's own code that it has pointers to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pid-provider/functions.hpp"
#include "symtab/elf/elf_file.hpp"

namespace strut {

/// Addresses that words of the file hold once the dynamic linker has moved them (R_X86_64_RELATIVE, SHT_RELR, and words
/// for symbols of its own), and all that bytes of its code would compute if they were a lea by %rip: too many rather
/// than too few. Not seen are distances between things (tables of offsets) and addresses that are put together
/// otherwise, which compilers do for no function.
class OwnPointers {
 public:
  /// Reads all of the code once: a millisecond for some megabytes. `choosers`: resolvers that the dynamic linker calls
  /// (STT_GNU_IFUNC): their results are only for the words of the PLT, as long as no word has a pointer to the resolver
  /// itself.
  explicit OwnPointers(const ElfFile& file, std::span<const CodeRange> choosers = {});
  bool to(uint64_t address) const;
  /// The beginnings of resolvers that may choose the code at an address.
  std::vector<uint64_t> chosen_by(uint64_t address) const;

 private:
  std::vector<uint64_t> addresses_;  ///< ascending
  struct Choice {
    uint64_t chooser, address;
  };
  std::vector<Choice> choices_;
};

}  // namespace strut
