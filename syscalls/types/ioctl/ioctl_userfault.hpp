// ioctl commands of userfaultfd(2): ioctl_userfaultfd(2).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kUserfaultIoctls;

}  // namespace strut
