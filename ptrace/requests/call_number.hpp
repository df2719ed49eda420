// Which call a tracee is in.
#pragma once

#include "ptrace/requests/control.hpp"
#include "syscalls/call.hpp"

namespace strut {

/// Number, ABI and row of a call at its enter, as the kernel dispatches: by the architecture of the entry and bit 30 of
/// the number. -1 is no call of any ABI: seccomp and tracers put it where a call is to be skipped.
void take_number(Call& call, const SyscallInfo& info);

/// Sets the number, the arguments and the instruction of a call at its enter.
void note_entry(Call& call, const SyscallInfo& info);

/// Whether a call at its enter is to make memory executable; its arguments are known.
bool maps_code(const Call& call);

}  // namespace strut
