// memfd_create(2), <linux/memfd.h>.
#pragma once

#include "syscalls/conditions.hpp"
#include "syscalls/notation.hpp"
#include "syscalls/types/common/reads.hpp"

namespace strut {

/// MFD_…, with the binary logarithm of a huge page's size.
extern const ConstantSet kMemfdFlagSet;
extern const WordLayout kMemfdFlagWord;
inline constexpr Type kMemfdFlagsAlone = notation::named(kMemfdFlagSet);
inline constexpr Type kMemfdWord = notation::word(kMemfdFlagWord);
inline constexpr Type kMemfdFlags = notation::kEither<int_is<0>, kMemfdFlagsAlone, kMemfdWord>;
/// A name: no more of it than the kernel takes.
Value decode_memfd_name(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kMemfdName = notation::reading(notation::custom(decode_memfd_name), kReadsOne<notation::kString>);

}  // namespace strut
