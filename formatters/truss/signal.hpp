// Signals, faults and stops as truss writes them.
#pragma once

#include <string_view>

#include "formatters/common/text_buffer.hpp"
#include "trace/event.hpp"

namespace strut {

/// `    Incurred fault #6, FLTBOUNDS  %pc = 0x08050AB4`.
void put_truss_fault(TextBuffer& out, int fault, uint64_t ip);

/// `    Received signal #2, SIGINT, in read() [caught]`. `call`: the one that its thread is in, or was interrupted in;
/// empty: none.
void put_truss_signal(TextBuffer& out, const SignalEvent& signal, std::string_view call);

/// `    Stopped by signal #24, SIGTSTP, in read()`.
void put_truss_stop(TextBuffer& out, int signal, std::string_view call);

/// `      siginfo: …`: the line below.
void put_truss_siginfo_line(TextBuffer& out, const siginfo_t& info);

}  // namespace strut
