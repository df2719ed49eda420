// ioctl(2) on clocks of network cards (PTP): <linux/ptp_clock.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kPtpIoctls;

}  // namespace strut
