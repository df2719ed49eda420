// Which of some names a program may look up by itself.
#pragma once

#include <span>
#include <string_view>
#include <unordered_set>

#include "symtab/elf_file.hpp"

namespace strut {

/// Of `names` those that it may ask dlsym(3) or dlvsym(3) for: it refers to one of them, and a string among its data is
/// the name, or ends with it, for linkers keep a string within another one that it ends. Names that are put together when
/// it runs are not found. They are views of `names`' bytes.
std::unordered_set<std::string_view> looked_up_names(const ElfFile& file, std::span<const std::string_view> names);

}  // namespace strut
