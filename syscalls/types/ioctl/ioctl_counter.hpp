// ioctl(2) on counters: <linux/counter.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kCounterIoctls;

}  // namespace strut
