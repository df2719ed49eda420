// Process groups and sessions: ids of processes that are not named.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The id of a process group or session: translated between pid namespaces like a process's, but without a comm.
Value decode_group_id(Decoder& decoder, uint64_t id, size_t);
inline constexpr Type kGroupId = notation::reading(notation::custom(decode_group_id), notation::kPid);

}  // namespace strut
