// Files that hold code of the Go toolchain.
#pragma once

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// True if the file has code that Go's own compiler made, in a program or in a library (-buildmode=c-shared). Its
/// runtime moves stacks and walks them whenever memory is collected: it ends the process at a return address that it
/// does not know. By the traces that Go's linker leaves in every file: its sections, or its note (owner "Go", type 4),
/// which stays where section headers were removed.
bool has_go_code(const ElfFile& file);

}  // namespace strut
