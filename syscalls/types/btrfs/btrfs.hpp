// ioctl(2) on Btrfs: <linux/btrfs.h>. The rows; what they are made of stands in the files beside this one.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kBtrfsIoctls;

}  // namespace strut
