// ioctl commands of memory technology devices and of volumes on them (UBI): <mtd/mtd-abi.h>, <mtd/ubi-user.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kMtdIoctls;

}  // namespace strut
