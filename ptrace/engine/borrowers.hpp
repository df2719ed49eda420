// Processes that run in the memory of one that is attached to, and were made before (clone(2) with CLONE_VM, vfork(2)).
//
// Breakpoints in that memory are theirs, too. So they are attached to with it, and treated as a child that is not
// followed and runs in its parent's memory: nothing is reported of them, and they are detached when they execute a
// program.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ptrace/engine/attach.hpp"
#include "ptrace/engine/probed.hpp"
#include "ptrace/engine/shared_memory.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut {

/// All threads of the owners are stopped for their tracer. Seizes the other processes in their memory with PTRACE_O_
/// options, and waits until they are stopped. By the owner's pid; `lacking`: why one of them could not be had.
std::map<Pid, Attached> attach_to_borrowers(std::span<const MemoryOwner> owners, unsigned seize_options);

/// The tracees of these threads, of such processes.
std::vector<Tracee*> add_borrowers(TraceeTable& tracees, std::span<const Tid> threads);

/// These threads, of such processes, get processes that share the memory of `owner`, of which `tid` is a thread. All
/// stand still; stops that are looked at here are put among those that are `waiting`.
void hold_borrowers(const std::shared_ptr<ProbedProcess>& owner, Tid tid, std::span<ProbedThread* const> threads,
                    std::deque<Waited>& waiting);

}  // namespace strut
