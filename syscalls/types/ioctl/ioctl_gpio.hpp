// ioctl(2) on lines of general purpose (GPIO), <linux/gpio.h>, and on counters, <linux/counter.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kGpioIoctls;
extern const IoctlRows kCounterIoctls;

}  // namespace strut
