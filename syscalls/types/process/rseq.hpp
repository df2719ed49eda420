// rseq(2): flags, struct rseq and struct rseq_cs of <linux/rseq.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kRseqFlags;

/// struct rseq of as many bytes as argument 1 says.
Value decode_rseq(Decoder& decoder, uint64_t at, size_t);
extern const Type kRseqRead;  ///< the memory that is read of it
inline constexpr Type kRseq = notation::reading(notation::custom(decode_rseq, 32), kRseqRead);

}  // namespace strut
