// The value of a V4L2 control, and descriptions of controls: <linux/videodev2.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// struct v4l2_control of VIDIOC_G_CTRL.
extern const StructLayout kControlAsked;
/// struct v4l2_queryctrl, struct v4l2_query_ext_ctrl.
extern const StructLayout kControlQueried, kExtendedControlQueried;

}  // namespace strut
