// Words for the dynamic linker to fill in, described in few bits.
#include "symtab/elf/relocations.hpp"

#include "tests/unit/symtab/packed_relocations_file.hpp"

namespace strut::test {
namespace {

using Addresses = std::vector<uint64_t>;

Addresses packed_of_64(const std::vector<uint64_t>& packed) {
  return packed_relocations_of(PackedRelocationsFile<uint64_t>::make(packed));
}

}  // namespace

TEST_CASE("relocations: a packed word is an address, or bits for the 63 words behind the last one spoken of") {
  CHECK(packed_of_64({0x2000, 0x3008}) == Addresses{0x2000, 0x3008});
  CHECK(packed_of_64({0x2000, 0b1011}) == Addresses{0x2000, 0x2008, 0x2018});
  CHECK(packed_of_64({0x2000, 1, 0b11}) == Addresses{0x2000, 0x2008 + 63 * 8});
  CHECK(packed_of_64({0x2000, uint64_t{1} << 63 | 1, 0b11}) == Addresses{0x2000, 0x2008 + 62 * 8, 0x2008 + 63 * 8});
  CHECK(packed_of_64({}).empty());
}

TEST_CASE("relocations: in a file of 32 bits packed words have 4 bytes, and bits for 31") {
  ElfFile file = PackedRelocationsFile<uint32_t>::make({0x2000, uint32_t{1} << 31 | 1, 0b11});
  CHECK(packed_relocations_of(file) == Addresses{0x2000, 0x2004 + 30 * 4, 0x2004 + 31 * 4});
}

TEST_CASE("relocations: no more packed ones are believed than the file has words") {
  std::vector<uint64_t> all_bits(1000, ~uint64_t{0});
  ElfFile file = PackedRelocationsFile<uint64_t>::make(all_bits);
  CHECK(packed_relocations_of(file).size() < file.bytes().size() / sizeof(uint64_t) + 63);
}

}  // namespace strut::test
