// statx(2): its flags, its mask, struct statx of <linux/stat.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kStatxMask;
extern const Type kStatxBuf;

/// AT_STATX_… and the other AT_… flags, shown as two words.
extern const WordLayout kStatxFlagWord;
inline constexpr Type kStatxFlags = notation::word(kStatxFlagWord);

}  // namespace strut
