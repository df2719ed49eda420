// The place where a process's dynamic linker announces loaded modules.
#pragma once

#include <optional>

#include "base/ids.hpp"
#include "base/memory.hpp"
#include "x86/displaced.hpp"

namespace strut {

/// The address that the linker calls whenever it has changed its lists (r_brk of struct r_debug, link.h): at a
/// library's arrival before any of its code runs but IFUNC resolvers of its own. Found by the program's DT_DEBUG
/// (elf(5)), at the place that the kernel has passed to the process (AT_PHDR of getauxval(3)). nullopt: there is no
/// linker, it has not got that far, or the process runs 32-bit code.
std::optional<Addr> linker_breakpoint(Pid pid, Memory& memory);

/// The emulation of the instruction there, in all known linkers that of an empty function: a ret,
/// or an endbr64 before one. Way::Refused: it is another.
Displaced linker_displaced(Addr at, Memory& memory);

/// Where the linker itself begins (AT_BASE). nullopt: the program has none.
std::optional<Addr> linker_base(Pid pid);

/// Where the program's own code begins when the linker has done its work (AT_ENTRY). nullopt: the process is gone.
std::optional<Addr> program_entry(Pid pid);

}  // namespace strut
