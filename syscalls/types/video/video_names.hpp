// Names of V4L2's numbers, and the forms in which they are shown: <linux/videodev2.h>.
#pragma once

#include "syscalls/notation.hpp"
#include "syscalls/types/common/shown_bytes.hpp"

namespace strut {

extern const ConstantSet kVideoBufferTypes, kVideoFields, kVideoMemory;

/// A format of four characters; pixels, samples and metadata have names of their own.
Value pixel_format(Decoder& decoder, uint64_t code);
Value sample_format(Decoder& decoder, uint64_t code);
Value metadata_format(Decoder& decoder, uint64_t code);
inline constexpr Type kPixelFormat = notation::shown_by(pixel_format, Width::B4);
inline constexpr Type kSampleFormat = notation::shown_by(sample_format, Width::B4);
inline constexpr Type kMetadataFormat = notation::shown_by(metadata_format, Width::B4);

/// struct v4l2_fract: 1/30.
Value video_fraction(Decoder& decoder, std::string_view bytes);
inline constexpr Type kVideoFraction = kBytesShownBy<video_fraction, 8, Width::B4>;

/// struct v4l2_rect.
extern const StructLayout kVideoRectangle;

}  // namespace strut
