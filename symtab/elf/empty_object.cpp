#include "symtab/elf/empty_object.hpp"

#include <cstring>
#include <string_view>

#include <elf.h>

namespace strut {
namespace {

constexpr std::string_view kNames("\0.note.GNU-stack\0.shstrtab\0", 27);
constexpr uint32_t kStackName = 1, kNamesName = 17;
constexpr size_t kSections = 3;

template <typename T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string empty_object() {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_REL;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kSections;
  header.e_shstrndx = kSections - 1;
  header.e_shoff = sizeof header;
  Elf64_Shdr stack{}, names{};
  stack.sh_name = kStackName;
  stack.sh_type = SHT_PROGBITS;
  stack.sh_offset = sizeof header + kSections * sizeof(Elf64_Shdr);
  stack.sh_addralign = names.sh_addralign = 1;
  names.sh_name = kNamesName;
  names.sh_type = SHT_STRTAB;
  names.sh_offset = stack.sh_offset;
  names.sh_size = kNames.size();
  std::string bytes;
  append(bytes, header);
  append(bytes, Elf64_Shdr{});
  append(bytes, stack);
  append(bytes, names);
  return bytes.append(kNames);
}

}  // namespace strut
