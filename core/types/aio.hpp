// The kernel's asynchronous I/O: io_submit(2) and its kin. <linux/aio_abi.h>
#pragma once

#include "core/notation.hpp"

namespace strut {

class Decoder;

/// An array of pointers to requests, argument 1 of them.
Value decode_iocbs(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kIocbs = notation::custom(decode_iocbs);
/// A pointer to a request that is to be cancelled: only what names it.
Value decode_cancelled_iocb(Decoder& decoder, uint64_t bits, size_t bytes);
inline constexpr Type kCancelledIocb = notation::custom(decode_cancelled_iocb);
extern const Type kIoEvent;

}  // namespace strut
