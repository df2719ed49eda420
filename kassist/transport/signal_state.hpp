// The part of vector registers that the kernel saves when it calls a signal's handler.
#pragma once

#include <cstdint>

namespace strut {

/// Bytes of the extended state in a signal frame (asm/sigcontext.h, _fpx_sw_bytes.extended_size), as the kernel has
/// them for this thread: it lets itself be signalled once. 0: they are not said.
uint32_t signal_state_bytes();

}  // namespace strut
