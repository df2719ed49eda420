// Process groups and sessions: ids of processes that are not named.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The id of a process group or session: translated between pid namespaces like a process's, but without a comm.
inline constexpr Type kGroupId = notation::unnamed(notation::kPid);

}  // namespace strut
