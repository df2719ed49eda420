// The cause of a signal or a fault, in truss's form.
#pragma once

#include <signal.h>

#include "formatters/common/text_buffer.hpp"

namespace strut {

/// False for a signal of the kernel's that says no more than its number.
bool has_truss_siginfo(const siginfo_t& info);

/// `siginfo: SIGINT pid=1234 uid=0`, `siginfo: SIGSEGV SEGV_MAPERR addr=0x00000000`.
void put_truss_siginfo(TextBuffer& out, const siginfo_t& info);

}  // namespace strut
