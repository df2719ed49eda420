// io_uring_register(2)'s objects besides buffers and descriptors: restrictions, workers, clocks, queries.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const Type kUringRestriction;  ///< struct io_uring_restriction

/// As many limits of workers as argument 3 says, by kind; before and after, whether they changed or not.
Value decode_worker_limits(Decoder& decoder, uint64_t at, size_t bytes);
inline constexpr Type kUringWorkerLimits = notation::reading(notation::custom(decode_worker_limits), notation::kUInt);

extern const Type kUringClock;  ///< struct io_uring_clock_register
/// struct io_uring_query_hdr: an address if argument 3 is not 0.
Value decode_uring_query(Decoder& decoder, uint64_t at, size_t bytes);
inline constexpr Type kUringQuery = notation::custom(decode_uring_query, 40, Width::B8);

}  // namespace strut
