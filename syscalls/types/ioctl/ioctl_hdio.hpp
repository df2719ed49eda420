// ioctl commands of disks as <linux/hdreg.h> has them: HDIO_*.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kHdioIoctls;

}  // namespace strut
