// Tables of addresses that compilers make of switch statements.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "symtab/elf/elf_file.hpp"
#include "x86/instruction.hpp"

namespace strut {

/// True if control may go to an address without leaving the function.
using IsOwnCode = std::function<bool(uint64_t)>;

/// The targets of the indirect jump code[at] by a table that instructions of `code` (a stretch without holes) refer to:
/// 32-bit distances from the table (gcc's and clang's form in position-independent code) or absolute addresses. Entries
/// are read until one is not the function's own code, so it may name more than the table has, never another function's.
/// Empty: no table was found.
std::vector<uint64_t> jump_targets(const ElfFile& file, std::span<const Instruction> code, size_t at,
                                   const IsOwnCode& is_own);

/// True if the indirect jump code[at] surely goes where a pointer says that is kept somewhere: a virtual function, a
/// callback. Then no table that the code refers to is its.
bool jumps_through_pointer(std::span<const Instruction> code, size_t at);

}  // namespace strut
