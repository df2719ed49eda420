// ioctl(2) on cameras, tuners and video codecs: <linux/videodev2.h>. The rows; what they are made of stands in the
// files beside this one.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kVideoIoctls;

}  // namespace strut
