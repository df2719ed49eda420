// struct statfs: statfs(2), <asm/statfs.h>, <linux/magic.h>.
#pragma once

#include "syscalls/type.hpp"

namespace strut {

extern const Type kStatfsBuf;
/// i386 statfs64, fstatfs64: struct compat_statfs64; the caller passes its size as the second argument.
extern const Type kStatfs64Buf;
/// f_type: which file system it is.
extern const ConstantSet kFilesystemMagic;

}  // namespace strut
