// ioctl commands of input devices: <linux/input.h>, EVIOC*.
#pragma once

#include "syscalls/types/ioctl/ioctl.hpp"

namespace strut {

extern const IoctlRows kInputIoctls;
/// Commands that take as many bytes as they say: the rows' numbers say none.
extern const IoctlRows kSizedInputIoctls;

extern const ConstantSet kInputKeys;    ///< KEY_*, BTN_*
extern const ConstantSet kInputAxes;    ///< ABS_*
extern const ConstantSet kInputEvents;  ///< EV_*

}  // namespace strut
