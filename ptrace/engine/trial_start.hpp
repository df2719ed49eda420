// The modules that a command will have when its own code begins, found by starting it and ending it at that point.
//
// The dynamic linker alone runs: it maps the program's libraries. The trial has /dev/null for its standard streams, and
// it is killed at the program's first instruction or at the first system call from outside of the linker (a library's
// constructor), before that call is made. It does not outlive strut.
#pragma once

#include <functional>

#include "base/ids.hpp"
#include "trace/request.hpp"

namespace strut {

/// Calls `look` with the process while it stands there. False: there was no such place: the command cannot be
/// executed, is no 64-bit program, or the environment makes the linker do more than mapping libraries (LD_AUDIT,
/// LD_DEBUG, LD_PROFILE).
bool try_start(const Launch& launch, const std::function<void(Pid)>& look);

}  // namespace strut
