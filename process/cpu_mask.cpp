#include "process/cpu_mask.hpp"

#include <bit>

#include <sys/syscall.h>
#include <unistd.h>

namespace strut {

CpuMask CpuMask::only(int cpu) {
  CpuMask mask;
  if (cpu >= 0 && cpu < kMaxCpus) mask.words[static_cast<size_t>(cpu) / 64] = uint64_t{1} << (cpu % 64);
  return mask;
}

CpuMask CpuMask::all() {
  CpuMask mask;
  mask.words.fill(~uint64_t{0});
  return mask;
}

bool CpuMask::contains(int cpu) const {
  return cpu >= 0 && cpu < kMaxCpus && (words[static_cast<size_t>(cpu) / 64] >> (cpu % 64) & 1) != 0;
}

int CpuMask::count() const {
  int count = 0;
  for (uint64_t word : words) count += std::popcount(word);
  return count;
}

std::optional<int> first_common(const CpuMask& one, const CpuMask& other) {
  for (size_t i = 0; i < one.words.size(); i++)
    if (uint64_t both = one.words[i] & other.words[i]; both != 0)
      return static_cast<int>(i) * 64 + std::countr_zero(both);
  return std::nullopt;
}

// The C library's functions have 1024 CPUs; the calls themselves take any number.
std::optional<CpuMask> affinity_of(pid_t tid) {
  CpuMask mask;
  if (::syscall(SYS_sched_getaffinity, tid, sizeof mask.words, mask.words.data()) < 0) return std::nullopt;
  return mask;
}

bool set_affinity(pid_t tid, const CpuMask& mask) {
  return ::syscall(SYS_sched_setaffinity, tid, sizeof mask.words, mask.words.data()) == 0;
}

}  // namespace strut
