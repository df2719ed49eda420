// Terminals: ioctl_tty(2), <asm-generic/termbits.h>, <asm-generic/ioctls.h>.
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kTtyIoctls;

}  // namespace strut
