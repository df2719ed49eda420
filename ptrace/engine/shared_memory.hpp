// Which processes run in one memory: vfork(2), clone(2) with CLONE_VM.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/ids.hpp"

namespace strut {

/// False also where the kernel does not say it: one of them has exited, or strut may not look at it.
bool share_memory(Tid a, Tid b);

/// Whether a thread has its handlers of signals in common with one of another process (CLONE_SIGHAND).
bool share_handlers(Tid a, Tid b);

/// A process, and one of its threads, which has not exited.
struct MemoryOwner {
  Pid pid{};
  Tid tid{};
};

/// The other processes of strut's pid namespace that run in the memory of this one at this moment.
std::vector<Pid> others_in_memory(const MemoryOwner& owner);
/// For several owners, which are not among the others, by one look at each process: process, its owner.
std::vector<std::pair<Pid, MemoryOwner>> others_in_memories(std::span<const MemoryOwner> owners);

}  // namespace strut
