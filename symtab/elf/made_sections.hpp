// Sections of a file without section headers: those that the dynamic linker and unwinders need are found without them.
#pragma once

#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// .dynamic, .dynsym, .dynstr, versions and relocations, at the places in PT_DYNAMIC's tags; .eh_frame_hdr and
/// .eh_frame by PT_GNU_EH_FRAME (`frame_header`). Only sections within the file. Indices are their own, from 1.
std::vector<Section> made_sections(const ElfFile& file, const std::optional<Segment>& frame_header);

}  // namespace strut
