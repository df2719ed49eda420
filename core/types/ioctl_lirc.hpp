// ioctl commands of infrared receivers and senders: lirc(4).
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kLircIoctls;

}  // namespace strut
