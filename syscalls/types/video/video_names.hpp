// Names of V4L2's numbers, and the forms in which they are shown: <linux/videodev2.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

extern const ConstantSet kVideoBufferTypes, kVideoFields, kVideoMemory;

/// A format of four characters; pixels, samples and metadata have names of their own.
Value decode_pixel_format(Decoder& decoder, uint64_t at, size_t);
Value decode_sample_format(Decoder& decoder, uint64_t at, size_t);
Value decode_metadata_format(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kPixelFormat = notation::custom(decode_pixel_format, 4, Width::B4);
inline constexpr Type kSampleFormat = notation::custom(decode_sample_format, 4, Width::B4);
inline constexpr Type kMetadataFormat = notation::custom(decode_metadata_format, 4, Width::B4);

/// struct v4l2_fract: 1/30.
Value decode_video_fraction(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kVideoFraction = notation::custom(decode_video_fraction, 8, Width::B4);

/// struct v4l2_rect.
extern const StructLayout kVideoRectangle;

}  // namespace strut
