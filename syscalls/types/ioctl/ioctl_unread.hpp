// ioctl commands of which only the argument's kind is shown: a pointer, a number, or none. Of device mappers, memory
// technology devices, video, Btrfs, KVM, infrared receivers, GPIO lines, trusted environments.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kUnreadIoctls;

}  // namespace strut
