// Pages of files that a process has mapped and not touched yet: programs that cannot wait could not read them.
#pragma once

#include "base/ids.hpp"
#include "dlang/compiler/program.hpp"

namespace strut {

/// Whether a clause reads the target's memory.
bool reads_memory(const DProgram& program);

/// Brings the programs and libraries that a process has mapped into its memory, the first 16 MB, as reading them would:
/// nothing of it changes. Constants are then present for clauses at system calls. Failures are ignored.
void bring_in_modules(Pid pid);

}  // namespace strut
