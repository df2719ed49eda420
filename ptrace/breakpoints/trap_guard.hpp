// A handler of SIGTRAP in a target that has breakpoints, for the case that its tracer is killed.
//
// Problem: a thread that has hit an int3 waits for its tracer with SIGTRAP pending. When the tracer dies the kernel
// delivers the signal, whatever the guardian has restored in memory, and its default action kills the target. Decision:
// the target handles SIGTRAP as long as it has breakpoints. The handler (trap_guard_code.cpp) runs only when the tracer
// is dead: it waits until the guardian has restored the instruction, moves the thread back in front of it, and performs
// the program's own action for any other SIGTRAP. Code and data are after the vdso's image, in the zero-filled part of
// its last page: every process has that page, maps no file there, and gets a private copy of it when it is written. The
// system calls that install it are made by code that restores the thread by itself (CallFrame), so that a tracer killed
// at any instant leaves no thread with foreign registers. Not covered: processes without a vdso or under a seccomp
// filter; threads that block SIGTRAP, for which the kernel resets the action to its default at an int3 (force_sig).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "base/ids.hpp"
#include "ptrace/breakpoints/trap_guard_code.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

class AddressSpace;
struct ProbedThread;

/// The tracer's knowledge of a process's guard. Forked children have a copy of it at the same place.
struct TrapGuard {
  uint64_t area = 0;     ///< where its code starts
  KernelAction program;  ///< the program's own action
};

/// Installs it in the process of a thread that stands still, in no group-stop, at a stop other than an execve's event.
/// A process gets one attempt: ProbedProcess::guard stays empty where it cannot have one.
void install_guard(ProbedThread& thread);

/// Installs it in the process of these threads, which were attached to and have stopped for that; by the first one that
/// can. Its stop is then among those that are `waiting` to be handled.
void install_guard_at_attach(std::span<ProbedThread* const> threads, std::deque<Waited>& waiting);

/// Whether its code is in the memory of a child that was forked: another thread of the parent may have got it installed
/// while the kernel copied.
bool has_guard_code(const TrapGuard& guard, const AddressSpace& space);

/// The process has mapped an area of slots.
void note_slot_area(const ProbedThread& thread, uint64_t area);

/// The program asks for this action.
void change_program_action(ProbedThread& thread, const KernelAction& action);

/// A SIGTRAP that is no breakpoint's is about to be delivered to a stopped thread. Returns the signal to deliver now: 0
/// where the program ignores it, or where it comes once more, as SIGTRAP of thread.own_trap, because the program dies
/// of it.
int before_own_trap(ProbedThread& thread);

/// Gives the process its own action back; the thread stands still. The code stays in its memory. False: the thread may
/// not make the call (is_sandboxed()), and the process keeps the handler.
[[nodiscard]] bool lift_guard(ProbedThread& thread);

/// No process has the action of this guard any more.
void erase_guard_code(AddressSpace& space, const TrapGuard& guard);

}  // namespace strut
