// ioctl commands of real-time clocks: rtc(4).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kRtcIoctls;

}  // namespace strut
