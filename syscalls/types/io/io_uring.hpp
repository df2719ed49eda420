// io_uring_setup(2), io_uring_enter(2), io_uring_register(2): parameters, extended arguments, registered objects.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/io/io_uring_constants.hpp"

namespace strut {

/// struct io_uring_params: the request, and where the call succeeded the kernel's choices.
extern const Type kUringParams;
/// io_uring_enter(2)'s fifth argument: a signal set, with IORING_ENTER_EXT_ARG a structure, with EXT_ARG_REG an offset.
extern const Choice kUringArgumentForms;
inline constexpr Type kUringArgument = notation::either(kUringArgumentForms);
/// io_uring_register(2)'s ring: a descriptor, or the number under which the ring itself is registered.
extern const Choice kUringRings;
inline constexpr Type kUringRing = notation::either(kUringRings);
/// io_uring_register(2)'s operation, and IORING_REGISTER_USE_REGISTERED_RING.
extern const WordLayout kUringRegisterWord;
inline constexpr Type kUringRegisterOp = notation::word(kUringRegisterWord);
/// The arguments, by operation.
extern const CommandTable kUringRegisterCommands;

}  // namespace strut
