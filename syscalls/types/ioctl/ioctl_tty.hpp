// Terminals: ioctl_tty(2), <asm-generic/termbits.h>, <asm-generic/ioctls.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kTtyIoctls;

}  // namespace strut
