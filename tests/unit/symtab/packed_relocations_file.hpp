// A small ELF file made by a test, of either class and without section headers: its relocations are packed (SHT_RELR).
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>
#include <elf.h>

#include "symtab/elf/elf_file.hpp"

namespace strut::test {

/// Lies at kBase in memory. Packed words come first (at kPacked in the file), `words` behind them.
template <typename Word>
class PackedRelocationsFile {
  static constexpr bool kIs64 = sizeof(Word) == 8;
  using Header = std::conditional_t<kIs64, Elf64_Ehdr, Elf32_Ehdr>;
  using Program = std::conditional_t<kIs64, Elf64_Phdr, Elf32_Phdr>;

 public:
  static constexpr Word kBase = 0x10000, kPacked = sizeof(Header) + 2 * sizeof(Program);

  static ElfFile make(const std::vector<Word>& packed, const std::vector<Word>& words = {}) {
    std::vector<Word> all = packed;
    all.insert(all.end(), words.begin(), words.end());
    auto dynamic_at = static_cast<Word>(kPacked + all.size() * sizeof(Word));
    auto packed_bytes = static_cast<Word>(packed.size() * sizeof(Word));
    all.insert(all.end(), {DT_RELR, kBase + kPacked, DT_RELRSZ, packed_bytes, DT_NULL, 0});
    auto end = static_cast<Word>(kPacked + all.size() * sizeof(Word));
    std::vector<std::byte> image(end);
    Program segments[2] = {segment(PT_LOAD, 0, end), segment(PT_DYNAMIC, dynamic_at, end - dynamic_at)};
    Header header = file_header();
    std::memcpy(image.data(), &header, sizeof header);
    std::memcpy(image.data() + sizeof header, segments, sizeof segments);
    std::memcpy(image.data() + kPacked, all.data(), all.size() * sizeof(Word));
    auto file = ElfFile::over(std::move(image), "made by a test");
    REQUIRE(file);
    return std::move(*file);
  }

 private:
  static Program segment(uint32_t type, Word at, Word bytes) {
    Program made{};
    made.p_type = type, made.p_flags = PF_R, made.p_offset = at, made.p_vaddr = kBase + at, made.p_filesz = bytes,
    made.p_memsz = bytes;
    return made;
  }
  static Header file_header() {
    Header made{};
    std::memcpy(made.e_ident, ELFMAG, SELFMAG);
    made.e_ident[EI_CLASS] = kIs64 ? ELFCLASS64 : ELFCLASS32, made.e_ident[EI_DATA] = ELFDATA2LSB;
    made.e_ident[EI_VERSION] = EV_CURRENT, made.e_version = EV_CURRENT;
    made.e_type = ET_DYN, made.e_machine = kIs64 ? EM_X86_64 : EM_386;
    made.e_ehsize = sizeof made, made.e_phoff = sizeof made, made.e_phentsize = sizeof(Program), made.e_phnum = 2;
    return made;
  }
};

}  // namespace strut::test
