// The dynamic linker that starts a program, by where the program is entered.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

/// Addresses [start, end) of the linker's code; none: the program is linked statically, or is itself a linker.
struct StartupLinker {
  uint64_t start = 0, end = 0;
  bool none() const { return start == end; }
  bool contains(uint64_t address) const { return address >= start && address < end; }
  /// Whether a call at its entry is the program's: not the linker's, nor one that the kernel's own uprobe code makes
  /// (uretprobe(2)), which appears wherever another tool has armed a function.
  bool is_left_by(const SyscallInfo& entry) const;
};

/// For a process at PTRACE_EVENT_EXEC, with its next instruction at `entry`: the linker's, if the program names one
/// (execve(2), "Interpreter scripts" and PT_INTERP of elf(5)), else its own. Or at the known beginning of the linker.
StartupLinker startup_linker(Pid pid, uint64_t entry);

}  // namespace strut
