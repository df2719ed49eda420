// Sets of CPUs as large as any kernel's, and the affinities of threads: sched_setaffinity(2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace strut {

struct CpuMask {
  static constexpr int kMaxCpus = 8192;  ///< CONFIG_NR_CPUS reaches no further
  std::array<uint64_t, kMaxCpus / 64> words{};

  static CpuMask only(int cpu);
  static CpuMask all();
  bool contains(int cpu) const;
  int count() const;
  bool operator==(const CpuMask&) const = default;
};

/// The lowest CPU of both; nullopt: they have none in common.
std::optional<int> first_common(const CpuMask& one, const CpuMask& other);

/// The CPUs where a thread (0: the calling one) may run now: its request, less those that its cpuset excludes. nullopt:
/// errno has the reason.
std::optional<CpuMask> affinity_of(pid_t tid);

/// Asks for these CPUs; the kernel takes those of them that the thread's cpuset permits. False: errno says why, EINVAL
/// if none is left. Safe between fork and exec.
bool set_affinity(pid_t tid, const CpuMask& mask);

}  // namespace strut
