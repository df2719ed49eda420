#include "ptrace/breakpoints/clear_memory.hpp"

#include <algorithm>
#include <vector>

#include "ptrace/breakpoints/displacer.hpp"
#include "ptrace/engine/shared_memory.hpp"

namespace strut {
namespace {

/// Whether a process that is not one of theirs runs in this memory.
bool is_used_by_others(std::span<ProbedThread* const> one_of_each_process) {
  const ProbedThread& first = *one_of_each_process.front();
  if (!first.process->space->was_shared()) return false;
  return std::ranges::any_of(others_in_memory({first.process->pid, first.tid}), [&](Pid other) {
    return std::ranges::none_of(one_of_each_process,
                                [&](ProbedThread* thread) { return thread->process->pid == other; });
  });
}

}  // namespace

void clear_memory(std::span<ProbedThread* const> one_of_each_process) {
  if (one_of_each_process.empty()) return;
  Displacer::unmap_slots(*one_of_each_process.front());
  std::vector<TrapGuard> guards;
  bool are_lifted = true;
  for (ProbedThread* thread : one_of_each_process) {
    if (thread->process->guard) guards.push_back(*thread->process->guard);
    are_lifted = lift_guard(*thread) && are_lifted;
  }
  // The calls of another process that strut holds would run there, and so would its handler. A process that has got a
  // seccomp filter meanwhile keeps the handler, which calls the program's own.
  if (guards.empty() || !are_lifted || is_used_by_others(one_of_each_process)) return;
  for (const TrapGuard& guard : guards) erase_guard_code(*one_of_each_process.front()->process->space, guard);
}

}  // namespace strut
