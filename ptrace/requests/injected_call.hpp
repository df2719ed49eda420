// A system call that a tracee makes on strut's behalf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "ptrace/engine/probed.hpp"

namespace strut {

/// A call of the x86-64 ABI.
struct InjectedCall {
  int64_t number = 0;
  std::array<uint64_t, 6> arguments{};
  /// The argument that is to be the address of `buffer`, which the call fills in. Only where the process has a
  /// TrapGuard.
  std::optional<size_t> buffer_argument{};
  std::array<std::byte, 32> buffer{};
};

/// A stopped tracee makes the call, and stops again with its earlier registers and blocked signals; an interrupted call
/// of its own continues or is restarted as if undisturbed. The result, in the kernel's form. nullopt: the tracee is
/// gone, is_sandboxed(), or its process has no instruction that calls. Not for a tracee in a group-stop. At a
/// breakpoint the thread's %rip is still after the int3. Where the process has a TrapGuard, a thread of a tracer that
/// is killed meanwhile runs on undisturbed, too.
std::optional<int64_t> inject(ProbedThread& thread, InjectedCall& call);

/// Whether a seccomp filter may answer a call that the program never makes with its death (seccomp(2)).
bool is_sandboxed(Tid tid);

}  // namespace strut
