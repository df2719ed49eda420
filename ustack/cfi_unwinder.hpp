// Unwinds by call frame information (.eh_frame), read by ourselves: rules are remembered by address, for all processes
// of a trace, and no byte of a file or of a stack is trusted.
#pragma once

#include <memory>

#include "trace/unwinder.hpp"

namespace strut {

/// The requested details of frames.
enum class FrameDetail : uint8_t {
  Functions,
  Lines,  ///< those of the sources, too
};

std::unique_ptr<Unwinder> make_cfi_unwinder(FrameDetail detail);

}  // namespace strut
