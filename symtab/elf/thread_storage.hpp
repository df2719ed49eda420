// A module's thread-local variables: PT_TLS (elf(5)).
#pragma once

#include <cstdint>
#include <optional>

#include "symtab/elf/elf_file.hpp"

namespace strut {

struct ThreadStorage {
  uint64_t address = 0;  ///< for its initial values, as the file has it
  uint64_t bytes = 0;    ///< for each thread's copy
  uint64_t align = 1;
};

/// nullopt: it has none.
std::optional<ThreadStorage> thread_storage_of(const ElfFile& file);

}  // namespace strut
