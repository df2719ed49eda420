#include "pid-provider/address_words.hpp"

#include <elf.h>

#include "symtab/elf/raw_symbols.hpp"
#include "symtab/elf/relocations.hpp"

namespace strut {

AddressWords::AddressWords(const ElfFile& file) {
  RawSymbols symbols(file, ".dynsym");
  for (const Relocation& relocation : relocations_of(file)) {
    uint64_t value = 0;
    if (relocation.type == R_X86_64_64 || relocation.type == R_X86_64_GLOB_DAT) {
      if (relocation.symbol >= symbols.size()) continue;
      RawSymbol symbol = symbols.at(relocation.symbol);
      if (symbol.section == SHN_UNDEF) continue;
      value = symbol.value;
    } else if (relocation.type != R_X86_64_RELATIVE) {
      continue;
    }
    addresses_[relocation.at] = value + static_cast<uint64_t>(relocation.addend);
  }
}

std::optional<uint64_t> AddressWords::at(uint64_t slot) const {
  auto found = addresses_.find(slot);
  return found == addresses_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace strut
