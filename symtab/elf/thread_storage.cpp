#include "symtab/elf/thread_storage.hpp"

#include <algorithm>

#include <elf.h>

#include "symtab/elf/byte_reader.hpp"

namespace strut {

std::optional<ThreadStorage> thread_storage_of(const ElfFile& file) {
  if (!file.is_64()) return std::nullopt;
  auto header = ByteReader(file.bytes()).take<Elf64_Ehdr>();
  for (size_t i = 0; i < header.e_phnum; i++) {
    ByteReader reader(file.bytes(), header.e_phoff + i * sizeof(Elf64_Phdr));
    auto segment = reader.take<Elf64_Phdr>();
    if (!reader.ok()) return std::nullopt;
    if (segment.p_type == PT_TLS)
      return ThreadStorage{segment.p_vaddr, segment.p_memsz, std::max<uint64_t>(segment.p_align, 1)};
  }
  return std::nullopt;
}

}  // namespace strut
