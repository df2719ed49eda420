// The thread that empties a ring runs where its reader does, and may still run anywhere.
#include <doctest/doctest.h>

#include <atomic>

#include <bpf/bpf.h>
#include <sched.h>

#include "base/clock.hpp"
#include "kassist/transport/ring_drain.hpp"
#include "process/cpu_mask.hpp"

namespace strut::test {
namespace {

constexpr size_t kRingDrainRingBytes = 64 << 10;
constexpr uint64_t kRingDrainPatience_ns = 300'000'000'000;

uint64_t never_made(std::span<const std::byte>) { return 0; }

/// Whether the drain's thread comes to the CPU that we are pinned to.
bool comes_here(RingDrain& drain, const std::atomic<int>& drain_cpu) {
  int here = ::sched_getcpu();
  for (uint64_t until_ns = monotonic_ns() + kRingDrainPatience_ns; drain_cpu != here && monotonic_ns() < until_ns;)
    drain.next_before(UINT64_MAX, 1);
  return drain_cpu == here;
}

}  // namespace

TEST_CASE("the drain's thread goes where its reader is") {
  CpuMask usual = *affinity_of(0);
  if (usual.count() < 2) {
    MESSAGE("SKIPPED: there is one CPU");
    return;
  }
  OwnedFd ring(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, kRingDrainRingBytes, nullptr));
  REQUIRE(ring);
  uint32_t wake_bytes = 0;
  std::atomic<int> drain_cpu = -1;
  std::atomic<bool> confined = false;
  RingDrain::Callbacks habits{&wake_bytes, never_made};
  habits.tend = [&](const RingDrain&) {
    drain_cpu = ::sched_getcpu();
    if (affinity_of(0) != usual) confined = true;
  };
  auto drain = RingDrain::start(ring.number(), kRingDrainRingBytes, std::move(habits));
  REQUIRE(drain);
  for (int turn = 0; turn < 2; turn++)
    for (int cpu = 0; cpu < CpuMask::kMaxCpus; cpu++)
      if (usual.contains(cpu)) {
        REQUIRE(set_affinity(0, CpuMask::only(cpu)));
        CHECK(comes_here(**drain, drain_cpu));
      }
  REQUIRE(set_affinity(0, usual));
  CHECK_FALSE(confined);
}

}  // namespace strut::test
