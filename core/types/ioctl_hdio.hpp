// ioctl commands of disks as <linux/hdreg.h> has them: HDIO_*.
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kHdioIoctls;

}  // namespace strut
