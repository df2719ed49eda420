// Unwinds by call frame information (.eh_frame), through libunwind.
#pragma once

#include <memory>

#include "core/unwinder.hpp"

namespace strut {

std::unique_ptr<Unwinder> make_cfi_unwinder();

}  // namespace strut
