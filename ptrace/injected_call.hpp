// A system call that a tracee makes on strut's behalf.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "ptrace/address_space.hpp"

namespace strut {

/// A call of the x86-64 ABI.
struct InjectedCall {
  int64_t number = 0;
  std::array<uint64_t, 6> arguments{};
};

/// An address where a process has a `syscall` instruction: of the vdso, else of any code. nullopt: there is none.
std::optional<uint64_t> find_call_instruction(Pid pid, const AddressSpace& space);

/// A tracee that stands still makes the call, at that instruction, and stands still again with the registers and
/// blocked signals that it had; a call that it was in goes on or is restarted as if nothing had been. What it returned,
/// as the kernel has it. nullopt: the tracee is gone. Not for a tracee in a group-stop.
std::optional<int64_t> inject(Tid tid, uint64_t instruction, const InjectedCall& call);

}  // namespace strut
