// Unwinds by call frame information (.eh_frame), read by ourselves: rules are remembered by address, for all processes
// of a trace, and no byte of a file or of a stack is trusted.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "trace/unwinder.hpp"

namespace strut {

/// The requested details of frames.
enum class FrameDetail : uint8_t {
  Functions,
  Lines,  ///< those of the sources, too
};

/// Gets a line for the user about one file, whose lines are not all known.
using FileComplaint = std::function<void(std::string_view)>;

/// `complaint` may be empty; it is called at most once for each file.
std::unique_ptr<Unwinder> make_cfi_unwinder(FrameDetail detail, FileComplaint complaint = {});

}  // namespace strut
