// ioctl commands of userfaultfd(2): ioctl_userfaultfd(2).
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kUserfaultIoctls;

}  // namespace strut
