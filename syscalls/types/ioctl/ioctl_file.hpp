// Commands on files and file systems: <linux/fs.h>, <linux/fiemap.h>, <linux/nsfs.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kFileIoctls;

}  // namespace strut
