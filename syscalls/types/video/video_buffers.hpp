// Buffers of V4L2 devices: <linux/videodev2.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// struct v4l2_requestbuffers.
extern const Type kRequestedBuffers;

/// Where the members of struct v4l2_buffer are, which holds a time and a pointer.
struct VideoBufferPlaces {
  uint16_t timestamp, memory, location, length, bytes;
  const Type* time;
};
/// How a command shows a buffer: VIDIOC_DQBUF passes its type alone and gets the time of the frame.
struct VideoBufferShape {
  VideoBufferPlaces places;
  bool dequeued;
};
Value decode_video_buffer(Decoder& decoder, uint64_t at, const VideoBufferShape& shape);

template <const VideoBufferShape& kShape>
Value decode_shaped_buffer(Decoder& decoder, uint64_t at, size_t) {
  return decode_video_buffer(decoder, at, kShape);
}
template <const VideoBufferShape& kShape>
inline constexpr Type kVideoBuffer = notation::custom(decode_shaped_buffer<kShape>, kShape.places.bytes, Width::B4);

/// struct v4l2_create_buffers: the request; and the answer, behind the call's result.
extern const StructLayout kCreatedBuffers;
Value decode_created_buffers(Decoder& decoder);

}  // namespace strut
