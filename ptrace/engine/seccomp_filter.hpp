// A seccomp filter that stops a tracee only for the calls that are wanted: strace(1), --seccomp-bpf.
//
// It stays with the process for ever and is inherited. Without a tracer the filtered calls fail with ENOSYS
// (seccomp(2), SECCOMP_RET_TRACE), so that tracees of a tracer that dies must die with it (PTRACE_O_EXITKILL).
#pragma once

#include <vector>

#include <linux/filter.h>

#include "syscalls/syscall_set.hpp"

namespace strut {

/// The program: SECCOMP_RET_TRACE for calls of the set, of every ABI, and for execve and execveat, which the tracer
/// itself needs; SECCOMP_RET_ALLOW for all others.
std::vector<sock_filter> seccomp_program(const SyscallSet& calls);

/// Puts the program on the calling thread; with NO_NEW_PRIVS where nothing less is permitted. False: it could not be.
bool install_seccomp(const std::vector<sock_filter>& program);

}  // namespace strut
