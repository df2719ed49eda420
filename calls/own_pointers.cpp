#include "calls/own_pointers.hpp"

#include <algorithm>
#include <cstring>

#include <elf.h>

#include "symtab/raw_symbols.hpp"
#include "symtab/relocations.hpp"

namespace strut {

namespace {

template <typename T>
T value_at(std::span<const std::byte> bytes, size_t at) {
  T value{};
  if (bytes.size() >= sizeof value && at <= bytes.size() - sizeof value)
    std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

void add_relocated(const ElfFile& file, std::vector<uint64_t>& to) {
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
    to.push_back(value + static_cast<uint64_t>(relocation.addend));
  }
}

void add_packed(const ElfFile& file, std::vector<uint64_t>& to) {
  for (uint64_t word : packed_relocations_of(file)) to.push_back(value_at<uint64_t>(file.at_address(word), 0));
}

void add_computed(uint64_t address, std::span<const std::byte> code, std::vector<uint64_t>& to) {
  constexpr std::byte kLea{0x8d}, kWithoutRegister{0xc7}, kByRip{5};
  constexpr size_t kBytes = 6;
  for (size_t at = 0; at + kBytes <= code.size(); at++)
    if (code[at] == kLea && (code[at + 1] & kWithoutRegister) == kByRip)
      to.push_back(address + at + kBytes + static_cast<uint64_t>(int64_t{value_at<int32_t>(code, at + 2)}));
}

}  // namespace

OwnPointers::OwnPointers(const ElfFile& file) {
  add_relocated(file, addresses_);
  add_packed(file, addresses_);
  for (const Segment& segment : file.segments())
    if (segment.executable) add_computed(segment.address, file.at_address(segment.address), addresses_);
  std::ranges::sort(addresses_);
}

bool OwnPointers::to(uint64_t address) const { return std::ranges::binary_search(addresses_, address); }

}  // namespace strut
