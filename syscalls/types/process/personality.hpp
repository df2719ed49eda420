// personality(2) and arch_prctl(2).
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"

namespace strut {

/// An execution domain and flags; all ones asks for the present one.
extern const WordLayout kPersonaWord;
inline constexpr Type kPersona = notation::word(kPersonaWord);
inline constexpr Type kPersonality = notation::kEither<int_is<0xffffffff>, notation::kHex32, kPersona>;
/// Behind the result: the domain that it names.
Value personality_result(Decoder& decoder);

/// arch_prctl(2)'s second argument, by operation.
extern const ConstantSet kArchPrctlOps;
extern const CommandTable kArchPrctlCommands;
/// After the result of a request for features: the permitted ones.
Value arch_prctl_result(Decoder& decoder);

}  // namespace strut
