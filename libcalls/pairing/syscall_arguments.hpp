// What syscall(2) passes on: as many arguments as the system call takes that it names.
#pragma once

#include "syscalls/function.hpp"

namespace strut {

/// Fills in call.varargs with the declared arguments of a call, of which the last is the system call's number, and with
/// that one's: named numbers in its words, all others as they are, for what they point to was not looked at. False:
/// there is no declared argument.
bool add_syscall_arguments(FunctionCall& call);

}  // namespace strut
