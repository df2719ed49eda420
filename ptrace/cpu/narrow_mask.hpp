// An affinity taken down to one CPU for a while, and how it is given back.
//
// A kernel remembers what was asked for a thread beside what its cpuset leaves of that (Linux 6.2), and nobody can read
// the former. A thread that was never restricted follows its cpuset when that grows, and must do so afterwards too. So
// the giver asks for all CPUs first: if what is left of them is what the thread had, then that is what it gets back.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <sys/types.h>

#include "process/cpu_mask.hpp"

namespace strut {

struct NarrowMask {
  /// What the thread had before, as far as that is known.
  enum class Origin : uint8_t {
    Unknown,       ///< nothing but the mask
    Unrestricted,  ///< all that its cpuset permits
    Restricted,    ///< less than that
  };
  pid_t tid = 0;
  int cpu = 0;
  Origin origin = Origin::Unknown;
  CpuMask original;
};

/// What narrow() starts from. nullopt: the thread is gone, or not ours to place.
std::optional<NarrowMask> plan_narrowing(pid_t tid, int cpu);

/// Finds the origin out unless it is known, and leaves the thread its one CPU. `mask` may be read at any moment by
/// whoever is to give it back. False: it may not be done, and give_back() is due.
bool narrow(NarrowMask& mask);

/// Whether the thread still has the mask that narrow() gave it.
bool is_narrow(const NarrowMask& mask);

/// Gives the thread back what it had; a mask that somebody else has given it in the meantime stays. Safe between fork
/// and exec.
void give_back(const NarrowMask& mask);

}  // namespace strut
