// Threads that block SIGTRAP and hit an int3.
//
// Problem: for such a thread the kernel resets the process's action for SIGTRAP and unblocks the signal (force_sig).
// The reset action shows that a thread of the process did so, not which one: several may be stopped at an int3, and the
// action may have been restored for another one since. Decision: a thread that alone is stopped at one was it. Else the
// tracer goes by the mask that the thread had, from its last int3, the last call that changed it (WatchedCall::Mask),
// or when it was attached to. Not covered: several threads at once, of which one has changed its mask in another way (a
// signal handler, and what it returns to) since.
#pragma once

#include <csignal>
#include <cstdint>
#include <functional>
#include <vector>

namespace strut {

struct ProbedProcess;
struct ProbedThread;

/// Signals in a set of the kernel's.
constexpr uint64_t bit_of(int signal) { return uint64_t{1} << (signal - 1); }
inline constexpr uint64_t kTrap = bit_of(SIGTRAP), kNeverBlocked = bit_of(SIGKILL) | bit_of(SIGSTOP);

/// Threads of the process may run with these signals blocked.
void note_blocked(ProbedProcess& process, uint64_t blocked);

/// The thread calls rt_sigprocmask(2) with these.
void note_change_of_mask(ProbedThread& thread, uint64_t how, uint64_t set);

/// The thread has run into an int3. If it blocked SIGTRAP, the kernel has changed that and the action: puts both back.
/// `others`: the threads that strut holds in its memory.
using OtherThreads = std::function<std::vector<ProbedThread*>(const ProbedThread&)>;
void restore_blocked_trap(ProbedThread& thread, const OtherThreads& others);

}  // namespace strut
