// Counted times instead of the clock: the drain keeps the count in step with it, and reports when records are complete.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>

#include <bpf/bpf.h>

#include "base/clock.hpp"
#include "kassist/transport/drain.hpp"

namespace strut::test {
namespace {

constexpr size_t kRingBytes = 64 << 10;
constexpr uint64_t kPatience_ns = 300'000'000'000;

}  // namespace

TEST_CASE("drain: counted moments follow the clock, and none comes to be that was said to be over") {
  OwnedFd ring(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, kRingBytes, nullptr));
  auto shape = lanes_for(kRingBytes);
  REQUIRE(shape);
  auto map = create_lanes(*shape);
  REQUIRE(map);
  auto lanes = Lanes::over(map->number(), *shape);
  REQUIRE(lanes);
  wire_control control{};
  auto drain = Drain::start(ring.number(), kRingBytes, std::move(*lanes), control, {});
  REQUIRE(drain);
  uint64_t began_ns = monotonic_ns();
  (*drain)->count_moments();
  CHECK(control.clock.is_counted == 1);
  // As the programs take them (counted_moment of kernel/common/maps.bpf.h).
  auto moment = [&] {
    uint64_t earliest_ns = std::atomic_ref(control.clock.earliest_ns).load();
    return control.lone.moment = std::max<uint64_t>(control.lone.moment, earliest_ns) + 2;
  };
  for (int turn = 0; turn < 20; turn++) {
    uint64_t last = moment(), complete = 0;
    for (uint64_t until_ns = monotonic_ns() + kPatience_ns; complete <= last && monotonic_ns() < until_ns;) {
      complete = (*drain)->next(1).complete_before_ns;
      CHECK(moment() >= complete);
    }
    CHECK(complete > last);
  }
  CHECK(moment() > began_ns);
  CHECK(moment() < monotonic_ns());
  // No thread takes numbers any more: a look is complete by itself.
  (*drain)->finish();
  CHECK(control.clock.is_counted == 0);
}

}  // namespace strut::test
