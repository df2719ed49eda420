// ioctl commands of infrared receivers and senders: lirc(4).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kLircIoctls;

}  // namespace strut
