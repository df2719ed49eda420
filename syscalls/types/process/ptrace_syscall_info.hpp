// struct ptrace_syscall_info of <linux/ptrace.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// The structure that PTRACE_GET_SYSCALL_INFO stored: the result is its full size, argument 2 the caller's room.
Value decode_syscall_info_taken(Decoder& decoder, uint64_t at, size_t);
/// The structure that PTRACE_SET_SYSCALL_INFO takes: argument 2 is its size.
Value decode_syscall_info_given(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSyscallInfoTaken = notation::custom(decode_syscall_info_taken, 88);
inline constexpr Type kSyscallInfoGiven = notation::custom(decode_syscall_info_given, 88);

}  // namespace strut
