// How long the tracer waits for threads after PTRACE_INTERRUPT, so that they can be detached.
#pragma once

#include <cstdint>
#include <string_view>

#include "ptrace/engine/probed.hpp"
#include "ptrace/requests/stop.hpp"

namespace strut {

/// `quiet_ns`: since the last stop of any of them; `states`: those (proc(5), "/proc/pid/stat") of the threads that have
/// not stopped. A thread in an uninterruptible sleep (a vfork parent, a hung disk) cannot be stopped: the kernel
/// detaches it when strut ends. A thread that waits for a CPU may be at a breakpoint that has been removed, and would
/// go on within an instruction. Time since the beginning says nothing: thousands of threads take long, and so do few on
/// a busy machine.
bool is_patience_over(uint64_t quiet_ns, std::string_view states);

/// In `states`: a thread in an uninterruptible sleep that is known to wait for its vfork child. Such threads alone are
/// not waited for: the child may stand, held by the tracer, and then nothing is going to change.
inline constexpr char kWaitsForVfork = 'v';

/// Remembers whether this stop of a thread reports a vfork.
void note_vfork(ProbedThread& thread, const Stop& stop);
/// For is_patience_over().
char running_state(const ProbedThread& thread);

/// How often states are looked at: of thousands of threads each look takes tens of milliseconds.
inline constexpr uint64_t kLookAtStates_ns = 100'000'000;

}  // namespace strut
