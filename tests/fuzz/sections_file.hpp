// An ELF file with sound headers around sections of the fuzzer's bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

namespace strut::fuzz {

template <typename T>
void append(std::vector<std::byte>& to, const T& value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof(value));
}

/// An ELF file with sections of these names and contents, the names last, headers behind everything.
inline std::vector<std::byte> elf_with(std::span<const std::string_view> section_names,
                                       std::span<const std::string_view> contents) {
  std::vector<std::byte> file(sizeof(Elf64_Ehdr));
  std::vector<Elf64_Shdr> headers(1);
  std::string names(1, '\0');
  for (size_t i = 0; i < contents.size(); i++) {
    Elf64_Shdr header{};
    header.sh_name = static_cast<uint32_t>(names.size());
    header.sh_type = SHT_PROGBITS;
    header.sh_addr = 0x1000 * i;
    header.sh_offset = file.size();
    header.sh_size = contents[i].size();
    names.append(section_names[i]).push_back('\0');
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

}  // namespace strut::fuzz
