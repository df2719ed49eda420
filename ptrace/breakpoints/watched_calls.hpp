// System calls of targets with breakpoints that the tracer must see, found in their code.
//
// Signals. Problem: a target with breakpoints has a handler of strut's (TrapGuard). The program must not find it there,
// and its own action must be the one that it has set. And where a thread that blocks SIGTRAP hits an int3, the kernel
// resets the action and unblocks the signal (force_sig), which the program would notice later. Decision: breakpoints at
// the system calls that matter, found by their bytes (`mov $NUMBER,%eax; syscall`, as C libraries and Go's runtime have
// them). rt_sigaction(2) for SIGTRAP is not made: the tracer supplies its result. At a hit the mask shows whether other
// signals are blocked; then, and in a process that was seen to block SIGTRAP alone by rt_sigprocmask(2), /proc shows
// whether the kernel has reset the action. Measured (6.18, retpolines): PTRACE_GETSIGMASK 0.7 us a hit,
// /proc/TID/status 6 us, a restored action 50 us.
//
// Children. clone(2) and clone3(2) may ask for a child that no tracer gets (UntracedClone). Their breakpoints are at
// the `mov`, which the tracer executes for the thread: only for that flag does the thread stop at the call itself.
// glibc's fork and pthread_create have none: a stop made the creation of a thread a quarter slower.
//
// Not covered: calls with a number that is loaded elsewhere (syscall(3)), and code that is mapped later.
#pragma once

#include <cstdint>
#include <map>

#include "base/ids.hpp"
#include "ptrace/breakpoints/call_places.hpp"
#include "trace/probe_host.hpp"

namespace strut {

struct ProbedProcess;
struct ProbedThread;

/// By the addresses of their breakpoints: at the `syscall` instruction; Clone's and Clone3's at the `mov`, unless the
/// byte before it may be its prefix.
using WatchedCalls = std::map<uint64_t, WatchedCall>;

/// The tag of a breakpoint that is at such a call and at nothing else: no site of the owner's.
inline constexpr uint64_t kWatchedCallTag = ~uint64_t{0};

/// Inserts the breakpoints; those for signals where the process has a TrapGuard. All of its threads stand still, or are
/// where they do not run that code (its dynamic linker).
void watch_calls(ProbedProcess& process);

/// The thread stands at the exit of a call, or at a stop that was asked for. Its process gets the TrapGuard that it
/// could not get before, and the breakpoints for that.
void install_missing_guard(ProbedThread& thread);

/// The thread stands in front of a breakpoint. True: it was at such an instruction, which was done in its stead:
/// `registers` are those behind it. A place at which masks are restored with SIGTRAP blocked loses its breakpoint,
/// where other threads cannot make it unclear which of them block the signal (restore_blocked_trap).
bool do_watched_call(ProbedThread& thread, AllRegisters& registers);

/// The instruction at which a thread of this process makes such a call.
Displaced watched_call_displaced();

}  // namespace strut
