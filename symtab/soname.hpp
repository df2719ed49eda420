// What a library calls itself.
#pragma once

#include <string_view>

#include "symtab/elf_file.hpp"

namespace strut {

/// DT_SONAME of the dynamic section (elf(5)); empty: it has none. Lives as long as the file.
std::string_view soname(const ElfFile& file);

}  // namespace strut
