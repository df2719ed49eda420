// ioctl(2) on lines of general purpose (GPIO): <linux/gpio.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kGpioIoctls;

}  // namespace strut
