// Reads the fuzzer's bytes as sections of debug information and of frame descriptions, in a file whose headers are sound:
// the elf fuzzer seldom gets that far. The first bytes say how long each section is.
// fuzz: rooms: core symtab; options: -max_len=8192
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <elf.h>

#include "symtab/function_bounds.hpp"
#include "symtab/prototypes.hpp"
#include "symtab/source_lines.hpp"
#include "tests/fuzz/input.hpp"

using namespace strut;

namespace {

constexpr std::array<std::string_view, 11> kSections = {".debug_info",     ".debug_abbrev",      ".debug_line", ".debug_str",
                                                        ".debug_line_str", ".debug_str_offsets", ".debug_addr", ".debug_ranges",
                                                        ".debug_rnglists", ".debug_aranges",     ".eh_frame"};

template <typename T>
void append(std::vector<std::byte>& to, const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof(value));
}

/// An ELF file with these sections, names last, headers behind everything.
std::vector<std::byte> elf_with(const std::array<std::string_view, kSections.size()>& contents) {
  std::vector<std::byte> file(sizeof(Elf64_Ehdr));
  std::vector<Elf64_Shdr> headers(1);
  std::string names(1, '\0');
  for (size_t i = 0; i < kSections.size(); i++) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<uint32_t>(names.size());
    header.sh_type = SHT_PROGBITS;
    header.sh_addr = 0x1000 * i;
    header.sh_offset = file.size();
    header.sh_size = contents[i].size();
    names.append(kSections[i]).push_back('\0');
    const auto* bytes = reinterpret_cast<const std::byte*>(contents[i].data());
    file.insert(file.end(), bytes, bytes + contents[i].size());
    headers.push_back(header);
  }
  Elf64_Shdr strings{};
  strings.sh_type = SHT_STRTAB;
  strings.sh_offset = file.size();
  strings.sh_size = names.size();
  const auto* bytes = reinterpret_cast<const std::byte*>(names.data());
  file.insert(file.end(), bytes, bytes + names.size());
  headers.push_back(strings);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, "\177ELF\2\1\1", 7);
  header.e_type = ET_DYN;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof(header);
  header.e_shoff = file.size();
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = static_cast<uint16_t>(headers.size());
  header.e_shstrndx = static_cast<uint16_t>(headers.size() - 1);
  for (const Elf64_Shdr& section : headers) append(file, section);
  std::memcpy(file.data(), &header, sizeof(header));
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  fuzz::Input input(bytes, size);
  std::array<uint16_t, 4> addresses{};
  for (uint16_t& address : addresses) address = input.take<uint16_t>();
  std::array<uint16_t, kSections.size()> lengths{};
  for (uint16_t& length : lengths) length = input.take<uint16_t>();
  std::array<std::string_view, kSections.size()> contents;
  for (size_t i = 0; i < contents.size(); i++) contents[i] = input.text(lengths[i] & 0xfff);
  auto file = ElfFile::over(elf_with(contents), "fuzz");
  if (!file || file->sections().empty()) std::abort();
  auto debug = std::make_shared<DebugInformation>(*file, nullptr);
  SourceLines lines(debug);
  FunctionBounds bounds(*file);
  Prototypes prototypes(debug);
  for (uint16_t address : addresses) {
    static_cast<void>(lines.at(address));
    static_cast<void>(lines.inlined_at(address));
    if (auto prototype = prototypes.at(address)) static_cast<void>(prototypes.text(*prototype));
    if (auto found = bounds.at(address); found && (address < found->begin || address >= found->end)) std::abort();
  }
  if (auto prototype = prototypes.named("f")) static_cast<void>(prototypes.text(*prototype));
  return 0;
}
