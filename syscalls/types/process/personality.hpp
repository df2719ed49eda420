// personality(2) and arch_prctl(2).
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// An execution domain and flags; all ones asks for the present one.
Value decode_personality(Decoder& decoder, uint64_t persona, size_t);
inline constexpr Type kPersonality = notation::custom(decode_personality);
/// Behind the result: the domain that it names.
Value personality_result(Decoder& decoder);

/// arch_prctl(2)'s second argument, by operation.
extern const ConstantSet kArchPrctlOps;
extern const CommandTable kArchPrctlCommands;
/// After the result of a request for features: the permitted ones.
Value arch_prctl_result(Decoder& decoder);

}  // namespace strut
