// The dynamic linker that starts a program, by where the program is entered.
#pragma once

#include <cstdint>

#include "core/ids.hpp"

namespace strut {

/// Addresses [start, end) of the linker's code; none: the program is linked statically, or is itself a linker.
struct StartupLinker {
  uint64_t start = 0, end = 0;
  bool none() const { return start == end; }
  bool contains(uint64_t address) const { return address >= start && address < end; }
};

/// Of a process at PTRACE_EVENT_EXEC, whose next instruction is at `entry`: the linker's, if the program names one
/// (execve(2), "Interpreter scripts" and PT_INTERP of elf(5)), else its own. Or where the linker is known to begin.
StartupLinker startup_linker(Pid pid, uint64_t entry);

}  // namespace strut
