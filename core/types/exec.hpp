// The argument and environment vectors of execve(2).
#pragma once

#include "core/notation.hpp"

namespace strut {

/// A NULL-terminated array of strings, at most -s of them unless structures are shown in full.
Value decode_argv(Decoder& decoder, uint64_t at, size_t);
/// The same, whole, where structures are shown in full; else its address and how many strings it holds.
Value decode_envp(Decoder& decoder, uint64_t at, size_t);

inline constexpr Type kArgvObject = notation::custom(decode_argv, 8);
inline constexpr Type kEnvpObject = notation::custom(decode_envp, 8);

}  // namespace strut
