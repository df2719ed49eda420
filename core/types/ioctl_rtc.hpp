// ioctl commands of real-time clocks: rtc(4).
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kRtcIoctls;

}  // namespace strut
