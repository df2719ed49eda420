#include "kassist/loader/one_cpu.hpp"

#include <mutex>

#include <sched.h>

namespace strut {
namespace {

std::mutex choosing;
int users = 0, chosen = 0;

int join() {
  std::lock_guard lock(choosing);
  if (users++ == 0) chosen = ::sched_getcpu();
  return chosen;
}

void part() {
  std::lock_guard lock(choosing);
  users--;
}

}  // namespace

OnOneCpu::OnOneCpu() : before_(affinity_of(0)) {
  int cpu = join();
  if (before_ && !(before_->contains(cpu) && set_affinity(0, CpuMask::only(cpu)))) before_.reset();
}

OnOneCpu::~OnOneCpu() {
  if (before_) set_affinity(0, *before_);
  part();
}

}  // namespace strut
