#include "symtab/elf/relocations.hpp"

#include <elf.h>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

namespace {

Relocation of(const Elf64_Rela& r) {
  return {r.r_offset,
          static_cast<uint32_t>(ELF64_R_TYPE(r.r_info)),
          static_cast<uint32_t>(ELF64_R_SYM(r.r_info)),
          r.r_addend,
          {},
          0};
}
Relocation of(const Elf32_Rel& r) { return {r.r_offset, ELF32_R_TYPE(r.r_info), ELF32_R_SYM(r.r_info), 0, {}, 0}; }
/// x32: the 32-bit class with addends.
Relocation of(const Elf32_Rela& r) {
  return {r.r_offset, ELF32_R_TYPE(r.r_info), ELF32_R_SYM(r.r_info), r.r_addend, {}, 0};
}

/// The table of symbols that a section of relocations links to.
class SymbolNames {
 public:
  SymbolNames(const ElfFile& file, const Section* table)
      : file_(file), strings_(table ? file.section(table->link) : nullptr) {
    if (table) bytes_ = file.contents(*table);
  }

  void name(Relocation& relocation) const {
    size_t stride = file_.is_64() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    if (!strings_ || relocation.symbol == 0 || bytes_.size() / stride <= relocation.symbol) return;
    ByteReader reader(bytes_, relocation.symbol * stride);
    relocation.name = file_.string(*strings_, reader.take<uint32_t>());  // st_name comes first in both classes
    reader.skip(file_.is_64() ? 0 : offsetof(Elf32_Sym, st_info) - sizeof(uint32_t));
    relocation.symbol_type = reader.take<uint8_t>() & 15;
  }

 private:
  const ElfFile& file_;
  const Section* strings_;
  std::span<const std::byte> bytes_;
};

template <typename Raw>
void take_all(std::span<const std::byte> bytes, const SymbolNames& names, std::vector<Relocation>& to) {
  for (ByteReader reader(bytes); reader.left() >= sizeof(Raw);) {
    to.push_back(of(reader.take<Raw>()));
    names.name(to.back());
  }
}

/// A word is the address of one that is relocated, or, if it is odd, has a bit for each of those that follow the last
/// one spoken of: 63, or 31 in files of 32 bits.
void take_packed(ByteReader words, size_t word_bytes, size_t most, std::vector<uint64_t>& to) {
  const unsigned spoken_of = static_cast<unsigned>(word_bytes) * 8 - 1;
  uint64_t next = 0;
  while (words.left() >= word_bytes && to.size() < most) {
    uint64_t word = words.take_number(word_bytes);
    if (!(word & 1)) {
      to.push_back(word);
      next = word + word_bytes;
      continue;
    }
    for (unsigned i = 0; i < spoken_of; i++)
      if (word >> (i + 1) & 1) to.push_back(next + i * word_bytes);
    next += spoken_of * word_bytes;
  }
}

}  // namespace

std::vector<Relocation> relocations_of(const ElfFile& file) {
  std::vector<Relocation> all;
  for (const Section& section : file.sections()) {
    if (section.type != SHT_REL && section.type != SHT_RELA) continue;
    SymbolNames names(file, file.section(section.link));
    std::span<const std::byte> bytes = file.contents(section);
    if (section.type == SHT_REL && !file.is_64()) take_all<Elf32_Rel>(bytes, names, all);
    if (section.type == SHT_RELA && file.is_64()) take_all<Elf64_Rela>(bytes, names, all);
    if (section.type == SHT_RELA && !file.is_64()) take_all<Elf32_Rela>(bytes, names, all);
  }
  return all;
}

std::vector<uint64_t> packed_relocations_of(const ElfFile& file) {
  const size_t word_bytes = file.is_64() ? sizeof(Elf64_Relr) : sizeof(Elf32_Relr);
  std::vector<uint64_t> all;
  for (const Section& section : file.sections())
    if (section.type == SHT_RELR)
      take_packed(ByteReader(file.contents(section)), word_bytes, file.bytes().size() / word_bytes, all);
  return all;
}

}  // namespace strut
