// ioctl(2) on trusted execution environments: <linux/tee.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kTeeIoctls;

}  // namespace strut
