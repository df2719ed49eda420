// The argument and environment vectors of execve(2).
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

/// A NULL-terminated array of strings, at most -s of them unless structures are shown in full.
Value decode_argv(Decoder& decoder, uint64_t at, size_t);
/// The whole array, where structures are shown in full; else its address and the number of its strings.
Value decode_envp(Decoder& decoder, uint64_t at, size_t);

// The memory that they read: the array and its strings, of the environment only the array unless it is shown in full.
extern const Type kStringsRead;
extern const Type kEnvironmentRead;
inline constexpr Type kArgvObject = notation::reading(notation::custom(decode_argv, 8), kStringsRead);
inline constexpr Type kEnvpObject = notation::reading(notation::custom(decode_envp, 8), kEnvironmentRead);

}  // namespace strut
