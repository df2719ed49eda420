// struct stat in the shapes that stat(2) and its kin have had: <asm/stat.h>.
#pragma once

#include "syscalls/type.hpp"

namespace strut {

extern const Type kStatBuf;     ///< stat, fstat, lstat, newfstatat
extern const Type kStat64Buf;   ///< i386: stat64, fstat64, lstat64, fstatat64
extern const Type kOldStatBuf;  ///< i386: oldstat, oldfstat, oldlstat (struct __old_kernel_stat)

}  // namespace strut
