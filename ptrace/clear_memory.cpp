#include "ptrace/clear_memory.hpp"

#include "ptrace/displacer.hpp"

namespace strut {

void clear_memory(std::span<ProbedThread* const> one_of_each_process) {
  if (one_of_each_process.empty()) return;
  Displacer::unmap_slots(*one_of_each_process.front());
  for (ProbedThread* thread : one_of_each_process)
    lift_guard(*thread, thread == one_of_each_process.back() ? GuardCode::Goes : GuardCode::Stays);
}

}  // namespace strut
