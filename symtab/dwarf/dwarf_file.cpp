#include "symtab/dwarf/dwarf_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include <gelf.h>

#include "symtab/dwarf/die.hpp"

namespace strut {

namespace {

constexpr std::array kSections = {".debug_info",        ".debug_types",  ".debug_abbrev",   ".debug_aranges",
                                  ".debug_addr",        ".debug_line",   ".debug_line_str", ".debug_str",
                                  ".debug_str_offsets", ".debug_ranges", ".debug_rnglists", ".debug_loc",
                                  ".debug_loclists"};

/// Compressed in GNU's older way the section is called .zdebug_info and so on.
const Section* section_of(const ElfFile& file, std::string_view name) {
  const Section* section = file.section(name);
  return section ? section : file.section(".z" + std::string(name.substr(1)));
}

template <typename T>
void append(std::vector<std::byte>& to, const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof(value));
}

/// Of a file with `sections` headers of sections at `sections_at`, the last one that of their names.
template <typename Ehdr, typename Shdr>
Ehdr header_of(const ElfFile& like, size_t sections_at, size_t sections) {
  Ehdr header{};
  std::memcpy(header.e_ident, like.bytes().data(), EI_NIDENT);
  header.e_type = ET_EXEC;
  header.e_machine = like.machine();
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(Ehdr);
  header.e_shoff = sections_at;
  header.e_shentsize = sizeof(Shdr);
  header.e_shnum = static_cast<uint16_t>(sections);
  header.e_shstrndx = static_cast<uint16_t>(sections - 1);
  return header;
}

/// An ELF file of headers alone: its sections are empty. In the byte order of `like`; the other headers are zero.
template <typename Ehdr, typename Shdr>
std::vector<std::byte> headers_of(const ElfFile& like, std::span<const DwarfSection> sections) {
  std::string names(1, '\0');
  std::vector<Shdr> headers(1);
  for (const DwarfSection& section : sections) {
    Shdr& header = headers.emplace_back();
    header.sh_name = static_cast<uint32_t>(names.size());
    header.sh_type = SHT_PROGBITS;
    names.append(section.name).push_back('\0');
  }
  Shdr& strings = headers.emplace_back();
  strings.sh_name = static_cast<uint32_t>(names.size() - 1);
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = sizeof(Ehdr);
  names.resize((names.size() + 7) & ~size_t{7});
  strings.sh_size = names.size();
  std::vector<std::byte> image;
  append(image, header_of<Ehdr, Shdr>(like, sizeof(Ehdr) + names.size(), headers.size()));
  auto text = std::as_bytes(std::span(names));
  image.insert(image.end(), text.begin(), text.end());
  for (const Shdr& section : headers) append(image, section);
  return image;
}

/// libelf keeps one description of a section's bytes, which every elf_getdata(3) returns; an application may change it
/// (elf_newdata(3)).
void show(Elf_Data* data, std::span<const std::byte> bytes) {
  if (!data) return;
  data->d_buf = const_cast<std::byte*>(bytes.data());
  data->d_size = bytes.size();
}

}  // namespace

std::unique_ptr<DwarfFile> DwarfFile::of(const ElfFile& file) {
  std::vector<DwarfSection> sections;
  for (const char* name : kSections)
    if (const Section* section = section_of(file, name))
      if (std::span<const std::byte> bytes = file.contents(*section); !bytes.empty()) sections.push_back({name, bytes});
  return over(file, sections);
}

std::unique_ptr<DwarfFile> DwarfFile::over(const ElfFile& file, std::span<const DwarfSection> sections) {
  if (file.bytes()[EI_DATA] != std::byte{ELFDATA2LSB}) return nullptr;  // no machine that strut runs on
  std::unique_ptr<DwarfFile> made(new DwarfFile);
  made->headers_ = file.is_64() ? headers_of<Elf64_Ehdr, Elf64_Shdr>(file, sections)
                                : headers_of<Elf32_Ehdr, Elf32_Shdr>(file, sections);
  return made->open(sections) ? std::move(made) : nullptr;
}

bool DwarfFile::open(std::span<const DwarfSection> sections) {
  sections_.assign(sections.begin(), sections.end());
  elf_ = ::elf_memory(reinterpret_cast<char*>(headers_.data()), headers_.size());
  if (!elf_) return false;
  for (size_t i = 0; i < sections_.size(); i++) {
    Elf_Scn* section = ::elf_getscn(elf_, i + 1);
    if (!section) return false;
    show(::elf_rawdata(section, nullptr), sections_[i].bytes);
    show(::elf_getdata(section, nullptr), sections_[i].bytes);
  }
  dwarf_ = ::dwarf_begin_elf(elf_, DWARF_C_READ, nullptr);
  return dwarf_ != nullptr;
}

DwarfFile::~DwarfFile() {
  if (dwarf_) ::dwarf_end(dwarf_);
  if (elf_) ::elf_end(elf_);
}

std::span<const std::byte> DwarfFile::section(std::string_view name) const {
  auto found = std::ranges::find(sections_, name, &DwarfSection::name);
  return found == sections_.end() ? std::span<const std::byte>() : found->bytes;
}

std::vector<Unit> DwarfFile::units() const {
  std::vector<Unit> units;
  Dwarf_CU* at = nullptr;
  Unit unit{{this, {}}, 0, 0};
  // Without the place for a unit's other entry: to fill that, libdw opens the file that DW_AT_dwo_name names.
  while (::dwarf_get_units(dwarf_, at, &at, nullptr, &unit.type, &unit.root.entry, nullptr) == 0) {
    if (!unit.root.entry.addr) continue;
    ::dwarf_cu_info(at, nullptr, nullptr, nullptr, nullptr, &unit.id, nullptr, nullptr);
    units.push_back(unit);
  }
  return units;
}

uint64_t DwarfFile::range_budget() const {
  // An entry has two bytes at least; dwz(1) lets entries share lists.
  return 64 * 1024 + 4 * (section(".debug_ranges").size() + section(".debug_rnglists").size()) +
         section(".debug_info").size();
}

void DwarfFile::set_supplementary(const DwarfFile* file) {
  supplementary_ = file;
  if (file) ::dwarf_setalt(dwarf_, file->dwarf_);
}

}  // namespace strut
