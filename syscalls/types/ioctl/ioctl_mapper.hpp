// ioctl(2) on the device mapper: <linux/dm-ioctl.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kMapperIoctls;

}  // namespace strut
