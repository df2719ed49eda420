#include "symtab/elf/made_sections.hpp"

#include <algorithm>

#include <elf.h>

#include "symtab/elf/byte_reader.hpp"
#include "symtab/elf/dynamic.hpp"

namespace strut {

namespace {

/// How many symbols the tables of hashes speak of (System V ABI, "Hash Table"; GNU's: the last chain of the highest
/// bucket).
uint64_t count_by_hash(const ElfFile& file, uint64_t address) {
  ByteReader reader(file.at_address(address));
  reader.skip(4);
  return reader.take<uint32_t>();
}

uint64_t count_by_gnu_hash(const ElfFile& file, uint64_t address) {
  ByteReader reader(file.at_address(address));
  auto buckets = reader.take<uint32_t>(), first = reader.take<uint32_t>(), filter_words = reader.take<uint32_t>();
  reader.skip(4);
  reader.skip(uint64_t{filter_words} * (file.is_64() ? 8 : 4));
  uint32_t highest = 0;
  for (uint32_t i = 0; i < buckets && reader.ok(); i++) highest = std::max(highest, reader.take<uint32_t>());
  if (!reader.ok() || highest < first) return first;
  reader.skip((uint64_t{highest} - first) * 4);
  uint64_t count = highest;
  do count++;
  while (!(reader.take<uint32_t>() & 1) && reader.ok());
  return reader.ok() ? count : 0;
}

class Sections {
 public:
  Sections(const ElfFile& file, const DynamicTable& tags) : file_(file), tags_(tags) {}

  /// Index of the new section; 0: it does not lie in the file.
  uint32_t add(std::string_view name, uint32_t type, uint64_t address, uint64_t bytes, uint64_t entry_bytes = 0,
               uint32_t link = 0) {
    std::span<const std::byte> there = file_.at_address(address);
    auto offset = file_.offset_of_address(address);
    if (address == 0 || bytes == 0 || bytes > there.size() || !offset) return 0;
    auto index = static_cast<uint32_t>(made_.size() + 1);
    made_.push_back({name, index, type, SHF_ALLOC, address, *offset, bytes, entry_bytes, link});
    return index;
  }

  void add_dynamic() {
    uint64_t word = file_.is_64() ? 8 : 4, symbol_bytes = file_.is_64() ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    uint32_t strings = add(".dynstr", SHT_STRTAB, tags_.value(DT_STRTAB), tags_.value(DT_STRSZ));
    uint64_t symbols = 0;
    if (uint64_t at = tags_.value(DT_GNU_HASH)) symbols = count_by_gnu_hash(file_, at);
    if (uint64_t at = tags_.value(DT_HASH)) symbols = count_by_hash(file_, at);
    uint32_t table = add(".dynsym", SHT_DYNSYM, tags_.value(DT_SYMTAB), symbols * symbol_bytes, symbol_bytes, strings);
    if (table != 0) add(".gnu.version", SHT_GNU_versym, tags_.value(DT_VERSYM), symbols * 2, 2, table);
    add_to_end(".gnu.version_d", SHT_GNU_verdef, tags_.value(DT_VERDEF), strings);
    add_to_end(".gnu.version_r", SHT_GNU_verneed, tags_.value(DT_VERNEED), strings);
    add(".rela.dyn", SHT_RELA, tags_.value(DT_RELA), tags_.value(DT_RELASZ), 3 * word, table);
    add(".rel.dyn", SHT_REL, tags_.value(DT_REL), tags_.value(DT_RELSZ), 2 * word, table);
    add(".relr.dyn", SHT_RELR, tags_.value(DT_RELR), tags_.value(DT_RELRSZ), word);
    bool has_addends = tags_.value(DT_PLTREL) == DT_RELA;
    add(has_addends ? ".rela.plt" : ".rel.plt", has_addends ? SHT_RELA : SHT_REL, tags_.value(DT_JMPREL),
        tags_.value(DT_PLTRELSZ), (has_addends ? 3 : 2) * word, table);
  }

  /// The tags have no size of these and of .eh_frame: they end by their contents.
  void add_to_end(std::string_view name, uint32_t type, uint64_t address, uint32_t link = 0) {
    add(name, type, address, address ? file_.at_address(address).size() : 0, 0, link);
  }

  /// .eh_frame_hdr begins with how it is written; linkers write where .eh_frame is relative to that word.
  void add_frames(const Segment& header) {
    constexpr uint8_t kRelative4 = 0x1b;
    ByteReader reader(file_.at_address(header.address));
    reader.skip(1);
    bool is_usual = reader.take<uint8_t>() == kRelative4;
    reader.skip(2);
    uint64_t frames = header.address + reader.at() + static_cast<uint64_t>(int64_t{reader.take<int32_t>()});
    if (!is_usual || !reader.ok()) return;
    add(".eh_frame_hdr", SHT_PROGBITS, header.address, header.file_bytes);
    add_to_end(".eh_frame", SHT_PROGBITS, frames);
  }

  std::vector<Section> take() { return std::move(made_); }

 private:
  const ElfFile& file_;
  const DynamicTable& tags_;
  std::vector<Section> made_;
};

}  // namespace

std::vector<Section> made_sections(const ElfFile& file, const std::optional<Segment>& frame_header) {
  DynamicTable tags(file);
  Sections sections(file, tags);
  if (file.dynamic()) sections.add_dynamic();
  if (frame_header) sections.add_frames(*frame_header);
  return sections.take();
}

}  // namespace strut
