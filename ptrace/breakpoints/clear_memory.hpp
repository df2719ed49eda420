// Memory that strut has mapped in a target is removed at detach.
#pragma once

#include <span>

#include "ptrace/engine/probed.hpp"

namespace strut {

/// One thread of each process that is in a memory without breakpoints. All threads of these processes stand still, none
/// of them at an out-of-line instruction. Takes slots and the TrapGuard out.
void clear_memory(std::span<ProbedThread* const> one_of_each_process);

}  // namespace strut
