// Times: pairs of seconds and parts of them, in every ABI's widths, and the dates they are.
#include <doctest/doctest.h>

#include <cstdlib>

#include "syscalls/types/time/time.hpp"
#include "tests/unit/decode_scene.hpp"

namespace strut::test {
namespace {

using namespace notation;

constexpr SyscallDesc kTakes = row("takes", kNone, kUnsignedResult, in("native", kTimespec), in("wide", kTimespec64));
constexpr SyscallDesc kSets = row("sets", kNone, kUnsignedResult, in("timer", kItimerval), in("spec", kItimerspec));

}  // namespace

TEST_CASE("times: seconds and nanoseconds") {
  DecodeScene scene(kTakes, {0x1000, 0x2000});
  scene.memory.put_object(0x1000, std::array<int64_t, 2>{-1, 999'999'999})
      .put_object(0x2000, std::array<int64_t, 2>{1, 2});
  CHECK(scene.enter() == "{tv_sec=-1, tv_nsec=999999999}; {tv_sec=1, tv_nsec=2}");
}

TEST_CASE("times: i386 has 32 bits in its own structures, 64 in those that ask for them") {
  DecodeScene scene(kTakes, {0x1000, 0x2000}, Abi::I386);
  scene.memory.put_object(0x1000, std::array<int32_t, 2>{-1, 5})
      .put_object(0x2000, std::array<int64_t, 2>{1ll << 40, 2});
  CHECK(scene.enter() == "{tv_sec=-1, tv_nsec=5}; {tv_sec=1099511627776, tv_nsec=2}");
}

TEST_CASE("times: pairs of them") {
  DecodeScene scene(kSets, {0x1000, 0x2000});
  std::array<int64_t, 4> both = {1, 2, 3, 4};
  scene.memory.put_object(0x1000, both).put_object(0x2000, both);
  CHECK(scene.enter() ==
        "{it_interval={tv_sec=1, tv_usec=2}, it_value={tv_sec=3, tv_usec=4}}; "
        "{it_interval={tv_sec=1, tv_nsec=2}, it_value={tv_sec=3, tv_nsec=4}}");
}

TEST_CASE("times: half a pair is none") {
  DecodeScene scene(kTakes, {0x1000, 0});
  scene.memory.put_object(0x1000, int64_t{5});
  CHECK(scene.enter() == "bad:0x1000; NULL");
}

TEST_CASE("times: dates, where there is one") {
  setenv("TZ", "UTC", 1);
  tzset();
  Arena arena;
  CHECK(calendar_time(arena, 4) == "1970-01-01T00:00:04+0000");
  CHECK(calendar_time(arena, 4, 1) == "1970-01-01T00:00:04.000000001+0000");
  CHECK(calendar_time_us(arena, 4, 1) == "1970-01-01T00:00:04.000001+0000");
  CHECK(calendar_time(arena, 0).empty());
  CHECK(calendar_time(arena, 4, 1'000'000'000).empty());
  CHECK(calendar_time_us(arena, 4, 1'000'000).empty());
  CHECK(calendar_time(arena, INT64_MAX).empty());
  CHECK(calendar_time(arena, INT64_MIN).empty());
}

}  // namespace strut::test
