// From an instruction to the tracer's way of executing it in place of the breakpoint.
#pragma once

#include <cstddef>
#include <span>

#include "symtab/elf/elf_file.hpp"
#include "x86/displaced.hpp"
#include "x86/instruction.hpp"

namespace strut {

/// `code` begins with the instruction's bytes. Emulated are pushes, pops, near branches, returns, nops, leave, moves,
/// lea and arithmetic of 32 and 64 bits; whatever else changes only registers and memory goes out of line.
Displaced displace(const Instruction& instruction, std::span<const std::byte> code);
/// For the instruction at an offset of a file; refused where there is none.
Displaced displaced_at(const ElfFile& file, uint64_t file_offset);

}  // namespace strut
