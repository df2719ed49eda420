// The data that a call read or wrote, in full: -e read=SET and -e write=SET of strace(1).
#pragma once

#include <span>

#include "syscalls/decoder.hpp"

namespace strut {

/// The pieces of data that a call which has returned moved through a descriptor of DecodeOptions::dump_reads or
/// dump_writes; empty if it moved none through such a one. Data to be written is shown even if the call failed.
std::span<const Dump> dumps_of(Decoder& decoder);

/// True if a call like this may be dumped: all that it moves is looked at then.
bool may_dump(const SyscallDesc& desc, const DecodeOptions& options);

}  // namespace strut
