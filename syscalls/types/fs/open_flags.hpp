// Flags of open(2) and its kin, and struct open_how of openat2(2).
#pragma once

#include "syscalls/type.hpp"

namespace strut {

/// O_RDONLY, O_WRONLY, O_RDWR (O_ACCMODE) and the status and creation flags: <asm-generic/fcntl.h>.
extern const ConstantSet kOpenFlags;
/// Without an access mode: pipe2, dup3, F_SETFL of descriptors that have none.
extern const ConstantSet kStatusFlags;
/// The only flag of memfd_secret(2).
extern const ConstantSet kCloseOnExec;
/// struct open_how, <linux/openat2.h>; later arguments say how many bytes of it there are.
extern const Type kOpenHow;

}  // namespace strut
