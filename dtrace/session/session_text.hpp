// A session's messages on stderr.
#pragma once

#include <string>

#include "dlang/machine/engine.hpp"

namespace strut {

/// "error on enabled probe ID 2 (ID 36: syscall:x64:write:entry): invalid address (0x56) in action #1".
/// `may_be_absent`: the reader could not bring pages in.
std::string fault_text(const DFaulted& faulted, uint32_t first_epid, const DProbe& probe, bool may_be_absent);
/// "12 drops on CPU 0", "7 dynamic variable drops"; with tags after "[DTRACEDROP_PRINCIPAL] ". Reports that processes
/// ran code before probes were looked up in it.
std::string unheld_text(uint64_t count);
std::string drops_text(DDrops what, int cpu, uint64_t count, bool with_tag);
/// "pid 12 has exited", "pid 12 exited with status 3", "pid 12 terminated by SIGSEGV". Status as wait4(2) has it, -1:
/// not known.
std::string ended_text(Pid pid, int status);

}  // namespace strut
