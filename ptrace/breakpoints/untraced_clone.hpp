// Clone calls with CLONE_UNTRACED, of threads with breakpoints in their memory.
//
// Problem: the kernel attaches no tracer to such a child, which has its parent's breakpoints in its memory: the first
// int3 kills it. Decision: the flag is cleared at the entry of the call, so that the child is attached like any other.
// The program sees its own flags again: they are restored in the parent at the call's event or exit, and in the child
// at its first stop. A call that had begun when the tracer attached has finished when the thread is stopped (its child
// is one of the borrowers), or is made again. Not covered: a tracer that is killed within the call leaves the flag
// cleared (in a register, or in struct clone_args).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/ids.hpp"
#include "trace/probe_host.hpp"

namespace strut {

class AddressSpace;
struct Call;
struct ProbedThread;

/// Where the flag was cleared.
struct ClearedFlag {
  size_t place = 0;  ///< in AllRegisters, of the argument that has the flags or points to them
  bool in_memory = false;
  uint64_t address = 0;  ///< where they are in memory
};

/// The stops that a thread must make.
struct UntracedClone {
  bool comes = false;  ///< it is about to call clone or clone3 with the flag
  std::optional<ClearedFlag> cleared;
  bool needs_calls() const { return comes || cleared; }
};

/// The thread stands at a breakpoint in front of clone(2), or of clone3(2).
enum class CloneCall : uint8_t { Clone, Clone3 };
void before_clone(ProbedThread& thread, const AllRegisters& registers, CloneCall call);

/// The thread stands where it was stopped for the attach: inside such a call, which the kernel makes again, or in front
/// of the instruction that makes it. No breakpoint is in front of that.
void note_clone_at_attach(ProbedThread& thread);

/// The thread is at the entry of this call, with known arguments: the tracer has reported it.
void clear_untraced(ProbedThread& thread, const Call& call);

/// The thread stands behind that: at the event of a child, or where it is to be detached.
void restore_untraced(ProbedThread& thread);

/// The thread stands at the exit of a call with this result. A signal may have interrupted the call: then the kernel
/// makes it again, where there is no breakpoint, with the flag.
void restore_untraced_at_exit(ProbedThread& thread, int64_t result);

/// A child of such a call stands at its first stop. `own_memory`: nullptr where it shares its parent's.
void restore_untraced_in_child(Tid child, const ClearedFlag& flag, AddressSpace* own_memory);

}  // namespace strut
