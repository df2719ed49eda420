#include "symtab/elf/address_words.hpp"

#include <algorithm>

#include <elf.h>

#include "symtab/elf/raw_symbols.hpp"
#include "symtab/elf/relocations.hpp"

namespace strut {

std::vector<AddressWord> address_words_of(const ElfFile& file) {
  std::vector<AddressWord> words;
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
    words.push_back({relocation.at, value + static_cast<uint64_t>(relocation.addend)});
  }
  return words;
}

AddressWords::AddressWords(const ElfFile& file) : ascending_(address_words_of(file)) {
  std::ranges::stable_sort(ascending_, {}, &AddressWord::at);
}

std::optional<uint64_t> AddressWords::at(uint64_t place) const {
  auto found = std::ranges::lower_bound(ascending_, place, {}, &AddressWord::at);
  return found != ascending_.end() && found->at == place ? std::optional(found->address) : std::nullopt;
}

}  // namespace strut
