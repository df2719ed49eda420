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
/// A name: no more of it than the kernel takes (NAME_MAX is 255, and it puts "memfd:" in front).
inline constexpr Type kMemfdName = notation::pointer_to(notation::kString, notation::fixed(250));

}  // namespace strut
