// ioctl(2) on virtual machines and their processors: <linux/kvm.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kKvmIoctls;

}  // namespace strut
