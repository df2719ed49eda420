// ioctl commands of consoles and their keyboards: ioctl_console(2).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kConsoleIoctls;

/// A key of a keyboard's table, type and number: K_F1, K(KT_LATIN, 'a'). <linux/keyboard.h>.
extern const ConstantSet kKeys;

}  // namespace strut
