// args[N] of a system call as strace shows it, from what a firing recorded.
#pragma once

#include <string>
#include <string_view>

#include "dlang/machine/engine.hpp"

namespace strut {

/// `call`: of the probe that fired. `recorded`: a DCallArgument and memory at the argument, whoever wrote it. What the
/// call itself is going to fill in, and memory that was not recorded, is its address; where there is no memory at all,
/// because a page was not there, it is read of the caller now, and a comment says so. Strings are cut where strace cuts
/// them.
std::string call_argument_text(const DTrigger::Syscall& call, Tid caller, std::string_view recorded);

}  // namespace strut
