// struct v4l2_format: the layout of a video stream, a union by the type of its buffers. <linux/videodev2.h>
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// VIDIOC_G_FMT, where the caller asks by type; VIDIOC_S_FMT and VIDIOC_TRY_FMT, which change it: {…} => {fmt.pix={…}};
/// and the format inside of another structure.
extern const StructLayout kVideoFormatAsked, kVideoFormatChanged, kVideoFormat;

}  // namespace strut
