#include "ptrace/cpu/pinned_mask.hpp"

namespace strut {

namespace {

/// The thread has a mask that is not strut's. If it is its whole cpuset, then that may have changed under strut's mask,
/// and the kernel still remembers the one CPU as the request: that must go.
void settle(pid_t tid, const CpuMask& mask) {
  if (!set_affinity(tid, CpuMask::all())) return;
  std::optional<CpuMask> whole = affinity_of(tid);
  if (!whole || *whole != mask) set_affinity(tid, mask);
}

}  // namespace

std::optional<PinnedMask> plan_pinning(pid_t tid, int cpu) {
  std::optional<CpuMask> original = affinity_of(tid);
  if (!original) return std::nullopt;
  return PinnedMask{tid, cpu, PinnedMask::Origin::Unknown, *original};
}

/// A guardian that restores the mask in the middle of this finds an origin that fits: "unrestricted" also where all
/// CPUs were just requested, "restricted" only where the thread has no more than one.
bool narrow(PinnedMask& mask) {
  using Origin = PinnedMask::Origin;
  Origin origin = mask.origin;
  if (origin == Origin::Unknown) {
    if (!set_affinity(mask.tid, CpuMask::all())) return false;
    std::optional<CpuMask> whole = affinity_of(mask.tid);
    if (!whole) return false;
    origin = *whole == mask.original ? Origin::Unrestricted : Origin::Restricted;
  }
  if (origin == Origin::Unrestricted) mask.origin = origin;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  bool done = set_affinity(mask.tid, CpuMask::only(mask.cpu));
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (done) mask.origin = origin;
  return done;
}

bool is_narrow(const PinnedMask& mask) { return affinity_of(mask.tid) == CpuMask::only(mask.cpu); }

void give_back(const PinnedMask& mask) {
  std::optional<CpuMask> now = affinity_of(mask.tid);
  if (!now) return;
  if (mask.origin != PinnedMask::Origin::Unknown && *now != CpuMask::only(mask.cpu)) return settle(mask.tid, *now);
  set_affinity(mask.tid, mask.origin == PinnedMask::Origin::Unrestricted ? CpuMask::all() : mask.original);
}

}  // namespace strut
