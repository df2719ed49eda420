// io_uring_setup(2), io_uring_enter(2), io_uring_register(2): parameters, extended arguments, registered objects.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"
#include "syscalls/types/io/io_uring_constants.hpp"

namespace strut {

/// struct io_uring_params: the request, and where the call succeeded the kernel's choices.
Value decode_uring_params(Decoder& decoder, uint64_t at, size_t);
extern const Type kUringParamsRead;
inline constexpr Type kUringParams = notation::reading(notation::custom(decode_uring_params, 120), kUringParamsRead);

/// io_uring_enter(2)'s fifth argument: a signal set, with IORING_ENTER_EXT_ARG a structure, with EXT_ARG_REG an offset.
Value decode_uring_argument(Decoder& decoder, uint64_t argument, size_t);
extern const Type kUringArgumentRead;
inline constexpr Type kUringArgument =
    notation::reading(notation::custom(decode_uring_argument), kReadsOne<kUringArgumentRead>);

/// io_uring_register(2)'s ring: a descriptor, or the number under which the ring itself is registered.
Value decode_uring_ring(Decoder& decoder, uint64_t ring, size_t);
inline constexpr Type kUringRing = notation::reading(notation::custom(decode_uring_ring), notation::kFd);
/// io_uring_register(2)'s operation, and IORING_REGISTER_USE_REGISTERED_RING.
Value decode_uring_register_op(Decoder& decoder, uint64_t opcode, size_t);
inline constexpr Type kUringRegisterOp = notation::custom(decode_uring_register_op);
/// The arguments, by operation.
extern const CommandTable kUringRegisterCommands;

}  // namespace strut
