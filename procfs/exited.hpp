// Whether a process has exited.
#pragma once

#include "base/ids.hpp"

namespace strut {

/// True if it does not exist, or if all of its threads have exited and its parent has not waited for it yet.
bool has_exited(Pid pid);

}  // namespace strut
