// User stacks as strace -k writes them, a line a frame.
#pragma once

#include "core/unwinder.hpp"
#include "formatters/text_buffer.hpp"

namespace strut {

/// ` > /lib/libc.so.6(getppid+0x7) [0xd54f7]`, each with its newline but the last. Names are demangled.
void put_stack(TextBuffer& out, const Stack& stack);

}  // namespace strut
