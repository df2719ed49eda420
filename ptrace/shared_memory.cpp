#include "ptrace/shared_memory.hpp"

#include <algorithm>

#include <linux/kcmp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/proc/process_status.hpp"

namespace strut {
namespace {

bool share(Tid a, Tid b, int what) { return ::syscall(SYS_kcmp, raw(a), raw(b), what, 0, 0) == 0; }

/// The first thread of a process may have exited before the others.
bool runs_in_memory_of(Pid pid, Tid tid) {
  if (share_memory(leader_of(pid), tid)) return true;
  if (state_of(leader_of(pid)) != 'Z') return false;
  auto threads = threads_of(pid);
  return threads && std::ranges::any_of(*threads, [&](Tid thread) { return share_memory(thread, tid); });
}

}  // namespace

bool share_memory(Tid a, Tid b) { return share(a, b, KCMP_VM); }

bool share_handlers(Tid a, Tid b) { return share(a, b, KCMP_SIGHAND); }

std::vector<Pid> others_in_memory(Pid pid, Tid tid) {
  std::vector<Pid> others = processes();
  std::erase_if(others, [&](Pid other) { return other == pid || !runs_in_memory_of(other, tid); });
  return others;
}

}  // namespace strut
