// struct ptrace_syscall_info of <linux/ptrace.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The structure that PTRACE_GET_SYSCALL_INFO stored, or that PTRACE_SET_SYSCALL_INFO takes: argument 2 is the room for
/// it, or its size.
Value decode_syscall_info(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSyscallInfo = notation::custom(decode_syscall_info, 88);

}  // namespace strut
