// The kernel's asynchronous I/O: io_submit(2) and its kin. <linux/aio_abi.h>
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// An array of pointers to requests, argument 1 of them; an address where that is below zero.
extern const Choice kIocbsOrAddress;
inline constexpr Type kIocbs = notation::either(kIocbsOrAddress);
/// A request to be cancelled: only the members that name it.
extern const Type kNamedIocb;
extern const Type kIoEvent;
/// A long of 32 bits in 32-bit code, x32 included.
Value aio_count(Decoder& decoder, uint64_t bits);
inline constexpr Type kAioCount = notation::shown_by(aio_count);

}  // namespace strut
