// prctl(2): every operation with its arguments and the meaning of its result.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kPrctlOps;
/// Arguments from the second on, by operation.
extern const CommandTable kPrctlCommands;
/// Behind the result of operations that give flags or an enumeration.
Value prctl_result(Decoder& decoder);

}  // namespace strut
