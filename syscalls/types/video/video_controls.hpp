// Controls of V4L2 devices: <linux/videodev2.h>, <linux/v4l2-controls.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The id of a control: its name, or its class and a distance: V4L2_CTRL_CLASS_USER+0x904.
Value control_id(Decoder& decoder, uint64_t id);
inline constexpr Type kControlId = notation::shown_by(control_id, Width::B4);
/// The id in a question, with flags that ask for the next one.
extern const WordLayout kAskedControlWord;
inline constexpr Type kAskedControl = notation::word(kAskedControlWord);

/// struct v4l2_control of VIDIOC_S_CTRL.
extern const Type kSetControl;

/// struct v4l2_ext_controls: shown at the end (VIDIOC_G_EXT_CTRLS), or before and after (VIDIOC_S_EXT_CTRLS).
extern const Type kGotControls, kChangedControls;

}  // namespace strut
