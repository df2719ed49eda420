// The arguments that syscall(2) passes on: as many as the named system call takes.
#pragma once

#include "syscalls/function.hpp"

namespace strut {

/// Fills in call.varargs with the declared arguments of a call, of which the last is the system call's number, and with
/// that one's: named numbers with their names, all others unchanged, since memory behind them was not read. False:
/// there is no declared argument.
bool add_syscall_arguments(FunctionCall& call);

}  // namespace strut
