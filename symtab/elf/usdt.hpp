// Statically defined tracepoints: the notes that <sys/sdt.h> leaves in a file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// A note of .note.stapsdt (owner "stapsdt", type 3; the layout is in systemtap's sdt.h documentation). Views into the
/// file.
struct UsdtProbe {
  std::string_view provider;
  std::string_view name;
  std::string_view arguments;  ///< as the assembler wrote them: "8@%rax -4@-8(%rbp)"
  uint64_t address = 0;        ///< for the nop, as the file has it (corrected for prelink)
  uint64_t semaphore = 0;      ///< address of a 16-bit counter of interested tracers; 0: none
};

/// All probes of a file; malformed notes are left out.
std::vector<UsdtProbe> usdt_probes(const ElfFile& file);

}  // namespace strut
