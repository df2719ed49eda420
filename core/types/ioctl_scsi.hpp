// ioctl commands of SCSI devices: <scsi/sg.h>.
#pragma once

#include "core/types/ioctl.hpp"

namespace strut {

extern const IoctlRows kScsiIoctls;

}  // namespace strut
