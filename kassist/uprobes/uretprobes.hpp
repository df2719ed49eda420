// How this kernel's uprobes affect processes, and which processes' hits it filters.
#pragma once

#include <cstdint>

#include "kassist/uprobes/uprobes.hpp"

namespace strut {

/// The number of the system call by which the kernel's own code leaves a function with a replaced return address
/// (<asm/unistd_64.h> since Linux 6.11).
inline constexpr uint32_t kUretprobe = 335;

/// Whether a function with a replaced return address can return in a process with a seccomp filter. Since Linux 6.11 it
/// makes a system call of its own for that (uretprobe), which filters did not know at first and killed processes for.
/// Tries it in a child.
bool uretprobes_are_harmless();

/// Whether a link's process filter passes all threads of the process, and no others.
bool process_filters_work(UprobeMechanism mechanism);

}  // namespace strut
