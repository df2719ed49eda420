// Where a process's dynamic linker announces what it has loaded.
#pragma once

#include <optional>

#include "base/ids.hpp"
#include "base/memory.hpp"
#include "x86/displaced.hpp"

namespace strut {

/// The address that the linker calls whenever it has changed its lists (r_brk of struct r_debug, link.h): at a
/// library's arrival before any of its code runs but IFUNC resolvers of its own. Found by the program's DT_DEBUG
/// (elf(5)), whose place the kernel has told the process (AT_PHDR of getauxval(3)). nullopt: there is no linker, it has
/// not got that far, or the process runs 32-bit code.
std::optional<Addr> linker_breakpoint(Pid pid, Memory& memory);

/// What to do in the stead of the instruction there, in all linkers known that of a function which does nothing: a ret,
/// or an endbr64 before one. Way::Refused: it is another.
Displaced linker_displaced(Addr at, Memory& memory);

/// Where the linker itself begins (AT_BASE). nullopt: the program has none.
std::optional<Addr> linker_base(Pid pid);

}  // namespace strut
