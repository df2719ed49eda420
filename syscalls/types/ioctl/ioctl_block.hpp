// Commands on block and loop devices: <linux/fs.h>, <linux/blkpg.h>, <linux/blktrace_api.h>, <linux/loop.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kBlockIoctls;

}  // namespace strut
