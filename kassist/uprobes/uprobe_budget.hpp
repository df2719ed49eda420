// The cost of uprobes for untraced processes, and its limit.
//
// Problem. A uprobe is a property of its file. Each process that maps the file's code, at its exec mostly, has all of
// the file's uprobes looked at, whichever process they are for; a system-wide one is also written into its memory.
// Decision. A run may make an exec of `true` slower by 20 %. Beyond that, breakpoints in the traced processes' own
// memory are used (ptrace), or the user must permit a number. Measurement (Linux 6.18, two CPUs, retpolines; fifth
// percentile of 400 execs of `true`, without uprobes 0.48 ms):
//   uprobes in libc for one process: 100 of them 0.51 ms, 200 0.55, 300 0.60, 400 0.61, 600 0.68, 1000 0.81, 2000 1.06
//   the same 10 for 60 processes: 0.54; 50 for 60: 0.8 to 1.1; 100 for 10: 0.60
//   system-wide: 1 of them 0.50, 4 0.52, 8 0.53, 12 0.56, 16 0.57, 32 0.65, 50 0.75, 200 1.39, 600 2.8
// That is 350 ns for a uprobe, 120 ns more for each process that it is for, and 5,500 ns for a system-wide one. A
// fork(2) pays for system-wide ones alone, the same for any number: 0.16 ms instead of 0.11.
// A file that no process but the targets has mapped costs other processes nothing, and is not counted: the program
// that is traced, as a rule. Another process that executes it later pays.
// Problem. Arming and disarming are one uprobe after another in the kernel (dup_mmap_sem), and ^C waits for it.
// Measurement (Linux 6.18): 380,000 in one process 1.3 to 1.8 s of CPU time to disarm; 23,000 of one file in 60
// processes 1.2 to 1.5 s: the kernel looks at each process that has the file mapped, and asks a uprobe's links of all
// processes. Breakpoints at the same 380,000 places: 0.7 s to insert, 0.55 s to remove.
// Decision. What takes more than a second is done with breakpoints, unless kassist is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/ids.hpp"

namespace strut {

/// Uprobes in one file.
struct UprobeDemand {
  uint64_t device = 0, inode = 0;  ///< stat(2)
  std::optional<Pid> pid;          ///< the process that they are for; nullopt: system-wide
  size_t uprobes = 0;
};

/// The cost of uprobes for an exec of a small program.
struct UprobeLoad {
  size_t uprobes = 0;     ///< in files that other processes have mapped
  size_t armed = 0;       ///< in all files, counted once for each process that they are for
  uint64_t exec_ns = 0;   ///< added to the exec
  uint64_t takes_ns = 0;  ///< to arm all of them, and to disarm them again

  static constexpr uint64_t kExec_ns = 480'000;         ///< without them
  static constexpr uint64_t kBudget_ns = kExec_ns / 5;  ///< 20 %
  bool fits() const { return exec_ns <= kBudget_ns; }
  static constexpr uint64_t kQuick_ns = 1'000'000'000;  ///< half of what strut may take to end
  bool is_quick() const { return takes_ns <= kQuick_ns; }
  uint64_t percent() const { return exec_ns * 100 / kExec_ns; }
};

/// All files counted, whether or not other processes have mapped them.
UprobeLoad load_of(std::span<const UprobeDemand> demands);
/// The uprobes that processes other than `targets` map now; for a system-wide demand, that two processes map. Looks at
/// /proc only if the load would not fit.
UprobeLoad load_on_others(std::span<const UprobeDemand> demands, std::span<const Pid> targets);

}  // namespace strut
