// ioctl commands of small devices: random(4), watchdogs, network block devices, inotify(7), perf_event_open(2).
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kDeviceIoctls;

}  // namespace strut
