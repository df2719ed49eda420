// args[N] of a system call, formatted as strace does, from the bytes that a firing recorded.
#pragma once

#include <string>
#include <string_view>

#include "dlang/machine/engine.hpp"

namespace strut {

/// `call`: of the probe that fired. `recorded`: a DCallArgument and the memory at the argument, by either engine.
/// Memory that the call itself will fill in, and memory that was not recorded, is shown as its address. If no bytes
/// were recorded because a page was not present, the caller's memory is read now, and a comment says so. Strings are
/// cut where strace cuts them.
std::string call_argument_text(const DTrigger::Syscall& call, Tid caller, std::string_view recorded);

}  // namespace strut
