// ioctl commands of sockets and network interfaces: socket(7), netdevice(7).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kSocketIoctls;

}  // namespace strut
