// Unwinds by call frame information (.eh_frame), read by ourselves: rules are remembered by address, for all processes of a
// trace, and no byte of a file or of a stack is trusted.
#pragma once

#include <memory>

#include "core/unwinder.hpp"

namespace strut {

std::unique_ptr<Unwinder> make_cfi_unwinder();

}  // namespace strut
