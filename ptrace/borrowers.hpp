// Processes that run in the memory of one that is attached to, and were made before (clone(2) with CLONE_VM, vfork(2)).
//
// Breakpoints in that memory are theirs, too. So they are attached to with it, and treated as a child that is not
// followed and runs in its parent's memory: nothing is reported of them, and they are detached when they execute a
// program.
#pragma once

#include <deque>
#include <memory>
#include <span>

#include "ptrace/attach.hpp"
#include "ptrace/probed.hpp"
#include "ptrace/waiting.hpp"

namespace strut {

/// The thread `tid` of `pid` stands still for its tracer, as all of its process do. Seizes the other processes in its
/// memory with PTRACE_O_ options, and waits until they stand. `lacking`: why one of them could not be had.
Attached attach_to_borrowers(Pid pid, Tid tid, unsigned seize_options);

/// These threads, of such processes, get processes that share the memory of `owner`, of which `tid` is a thread. All
/// stand still; stops that are looked at here are put among those that are `waiting`.
void hold_borrowers(const std::shared_ptr<ProbedProcess>& owner, Tid tid, std::span<ProbedThread* const> threads,
                    std::deque<Waited>& waiting);

}  // namespace strut
