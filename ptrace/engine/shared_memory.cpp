#include "ptrace/engine/shared_memory.hpp"

#include <algorithm>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "procfs/process_status.hpp"

namespace strut {
namespace {

bool share(Tid a, Tid b, int what) { return ::syscall(SYS_kcmp, raw(a), raw(b), what, 0, 0) == 0; }

/// nullptr: the process runs in no owner's memory. Its first thread may have exited before the others; its state is
/// read once (10 µs; a comparison takes 1).
const MemoryOwner* owner_of_memory(Pid pid, std::span<const MemoryOwner> owners) {
  auto owner_of = [&](Tid tid) {
    auto found = std::ranges::find_if(owners, [&](const MemoryOwner& owner) { return share_memory(tid, owner.tid); });
    return found == owners.end() ? nullptr : &*found;
  };
  if (const MemoryOwner* owner = owner_of(leader_of(pid))) return owner;
  if (state_of(leader_of(pid)) != 'Z') return nullptr;
  auto threads = threads_of(pid);
  for (Tid thread : threads ? *threads : std::vector<Tid>{})
    if (const MemoryOwner* owner = owner_of(thread)) return owner;
  return nullptr;
}

}  // namespace

bool share_memory(Tid a, Tid b) { return share(a, b, KCMP_VM); }

bool share_handlers(Tid a, Tid b) { return share(a, b, KCMP_SIGHAND); }

std::vector<std::pair<Pid, MemoryOwner>> others_in_memories(std::span<const MemoryOwner> owners) {
  std::vector<std::pair<Pid, MemoryOwner>> others;
  for (Pid pid : processes()) {
    if (std::ranges::find(owners, pid, &MemoryOwner::pid) != owners.end()) continue;
    if (const MemoryOwner* owner = owner_of_memory(pid, owners)) others.emplace_back(pid, *owner);
  }
  return others;
}

std::vector<Pid> others_in_memory(const MemoryOwner& owner) {
  std::vector<Pid> others;
  for (auto& [pid, same] : others_in_memories({&owner, 1})) others.push_back(pid);
  return others;
}

}  // namespace strut
