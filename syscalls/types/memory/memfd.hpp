// memfd_create(2), <linux/memfd.h>.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

/// MFD_…, with the binary logarithm of a huge page's size.
Value decode_memfd_flags(Decoder& decoder, uint64_t flags, size_t);
inline constexpr Type kMemfdFlags = notation::custom(decode_memfd_flags);
/// A name: no more of it than the kernel takes.
Value decode_memfd_name(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kMemfdName = notation::reading(notation::custom(decode_memfd_name), kReadsOne<notation::kString>);

}  // namespace strut
