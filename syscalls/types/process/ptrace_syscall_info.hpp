// struct ptrace_syscall_info of <linux/ptrace.h>.
#pragma once

#include "syscalls/notation.hpp"

namespace strut {

/// What PTRACE_GET_SYSCALL_INFO stored: the result says how much there was, argument 2 how much fitted.
Value decode_syscall_info_taken(Decoder& decoder, uint64_t at, size_t);
/// What PTRACE_SET_SYSCALL_INFO takes: argument 2 says how much.
Value decode_syscall_info_given(Decoder& decoder, uint64_t at, size_t);
inline constexpr Type kSyscallInfoTaken = notation::custom(decode_syscall_info_taken, 88);
inline constexpr Type kSyscallInfoGiven = notation::custom(decode_syscall_info_given, 88);

}  // namespace strut
