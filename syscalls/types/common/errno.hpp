// Names of errno values, as errno(3) and the kernel's restart codes have them.
#pragma once

#include "syscalls/constants.hpp"

namespace strut {

/// 1..133 of <asm-generic/errno.h>, and the codes 512..530 that never reach user space except through a tracer.
extern const ConstantSet kErrnoNames;

class Decoder;
struct Value;
/// A negative number as the error that it is, -ENOENT, unless it is less than -most.
Value negated_errno(Decoder& decoder, int64_t number, int64_t most);

}  // namespace strut
