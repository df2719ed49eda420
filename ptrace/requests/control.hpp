// The ptrace(2) requests strut makes, one function each.
//
// A tracee may die at any time, so that every request can fail with ESRCH. That is an outcome: the functions return
// false or nullopt, and the next wait reports the tracee's exit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <signal.h>
#include <sys/ptrace.h>

#include "base/ids.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// PTRACE_SEIZE with PTRACE_O_ options. 0, or errno.
int seize(Tid tid, unsigned options);

/// Makes a running tracee stop (TrapStop, or GroupStop again).
bool interrupt(Tid tid);

/// How a stopped tracee goes on.
enum class Restart : uint8_t {
  ToSyscall,  ///< until its next syscall-enter- or -exit-stop
  Freely,     ///< until something else happens to it
  ForAStep,   ///< until it has executed one instruction
  Listening,  ///< stays in its group-stop, until SIGCONT
};
/// `signal` is delivered to it; 0: none. Only meaningful in a SignalStop.
bool restart(Tid tid, Restart how, int signal = 0);

/// Lets go of a stopped tracee for good.
bool detach(Tid tid, int signal = 0);

/// PTRACE_GET_SYSCALL_INFO. `op` says whether it is an enter, an exit, a seccomp stop, or none of them. False: errno
/// says why, EIO if the kernel is older than Linux 5.3.
using SyscallInfo = __ptrace_syscall_info;
bool read_syscall_info(Tid tid, SyscallInfo& info);

/// The general registers of a stopped tracee that runs 64-bit code. False: it is gone.
bool read_registers(Tid tid, UserRegisters& registers);

/// All of user_regs_struct, in its order. False: the tracee is gone.
bool read_all_registers(Tid tid, std::array<uint64_t, 27>& registers);
bool write_all_registers(Tid tid, const std::array<uint64_t, 27>& registers);

/// %rip alone: a third of the price of all.
bool write_instruction_pointer(Tid tid, uint64_t address);

/// The low halves of the first of %xmm0 to %xmm15, and the 80 bits of %st(0). False: the tracee is gone.
bool read_vectors(Tid tid, std::span<uint64_t> low_halves, std::span<uint64_t, 2> x87);

/// The signals that a stopped tracee blocks, bit n-1 for signal n. nullopt: it is gone.
std::optional<uint64_t> read_blocked(Tid tid);
bool write_blocked(Tid tid, uint64_t blocked);

/// PTRACE_GETEVENTMSG: the new child's tid, the former tid of an execve …
std::optional<unsigned long> event_message(Tid tid);

bool read_siginfo(Tid tid, siginfo_t& info);
/// Whether an int3 has raised it: no other SIGTRAP looks so, except one that a thread composes and sends to itself.
inline bool is_of_int3(const siginfo_t& info) { return info.si_signo == SIGTRAP && info.si_code == SI_KERNEL; }
/// The siginfo that a tracee in a SignalStop gets, if it is restarted with this signal.
bool write_siginfo(Tid tid, const siginfo_t& info);

/// Writes over the target's memory, read-only pages included. The number of bytes written: those in front of the first
/// that could not be.
size_t write_memory(Tid tid, Addr at, std::string_view bytes);

/// The number of the call a stopped tracee is in or was interrupted in; -1: none.
std::optional<int64_t> read_syscall_number(Tid tid);
/// Replaces the number of the call that is entered now; -1: no call is made.
bool write_syscall_number(Tid tid, int64_t number);
/// Replaces the result of the call that returns now.
bool write_result(Tid tid, int64_t result);

}  // namespace strut
