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
  for (ProbedThread* thread : one_of_each_process) {
    if (thread->process->guard) guards.push_back(*thread->process->guard);
    lift_guard(*thread);
  }
  // The calls of another process that strut holds would run there, and so would its handler.
  if (guards.empty() || is_used_by_others(one_of_each_process)) return;
  for (const TrapGuard& guard : guards) erase_guard_code(*one_of_each_process.front()->process->space, guard);
}

}  // namespace strut
