// Sections of a file whose section headers were taken away: what the dynamic linker and unwinders need is found without
// them.
#pragma once

#include <vector>

#include "symtab/elf/elf_file.hpp"

namespace strut {

/// .dynamic, .dynsym, .dynstr, versions and relocations, as PT_DYNAMIC's tags say where they lie; .eh_frame_hdr and
/// .eh_frame by PT_GNU_EH_FRAME (`frame_header`). Only what lies within the file. Indices are their own, from 1.
std::vector<Section> made_sections(const ElfFile& file, const std::optional<Segment>& frame_header);

}  // namespace strut
