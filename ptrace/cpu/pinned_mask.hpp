// An affinity reduced to one CPU for a while, and its restoration.
//
// The kernel remembers a thread's requested mask beside the part that its cpuset permits (Linux 6.2), and no call shows
// the former. A thread that was never restricted follows its cpuset when that grows, and must do so afterwards too. So
// the giver requests all CPUs first: if the remaining ones are those that the thread had, it gets these back.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include <sys/types.h>

#include "process/cpu_mask.hpp"

namespace strut {

struct PinnedMask {
  /// The thread's earlier affinity, as far as it is known.
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

/// The starting state for narrow(). nullopt: the thread is gone, or strut may not place it.
std::optional<PinnedMask> plan_pinning(pid_t tid, int cpu);

/// Finds the origin unless it is known, and pins the thread to its one CPU. `mask` may be read at any time by the
/// process that must restore it. False: it may not be done, and give_back() is due.
bool narrow(PinnedMask& mask);

/// Whether the thread still has the mask that narrow() gave it.
bool is_narrow(const PinnedMask& mask);

/// Restores the thread's affinity; a mask that another process has set in the meantime stays. Safe between fork and
/// exec.
void give_back(const PinnedMask& mask);

}  // namespace strut
