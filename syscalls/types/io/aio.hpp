// The kernel's asynchronous I/O: io_submit(2) and its kin. <linux/aio_abi.h>
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

class Decoder;

/// An array of pointers to requests, argument 1 of them.
Value decode_iocbs(Decoder& decoder, uint64_t bits, size_t bytes);
extern const Type kIocbPointer;  ///< the memory that is read of a request
inline constexpr Type kIocbsRead = notation::pointer_to(kIocbPointer, notation::by_arg(1));
inline constexpr Type kIocbs = notation::reading(notation::custom(decode_iocbs), kIocbsRead);
/// A pointer to a request to be cancelled: only the members that name it.
extern const Type kNamedIocb;  ///< the memory that is read of it
Value decode_cancelled_iocb(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kCancelledIocb =
    notation::reading(notation::custom(decode_cancelled_iocb), kReadsOne<kNamedIocb>);
extern const Type kIoEvent;
/// A long of 32 bits in 32-bit code, x32 included.
Value decode_aio_count(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kAioCount = notation::custom(decode_aio_count);

}  // namespace strut
