// ioctl commands of SCSI devices: <scsi/sg.h>.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kScsiIoctls;

}  // namespace strut
