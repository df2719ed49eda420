// When stops make the tracer follow a tracee, look up its CPU, and give that up: times alone, no process.
#include <doctest/doctest.h>

#include "ptrace/cpu/stop_pace.hpp"

namespace strut::test {
namespace {

using Verdict = StopPace::Verdict;
constexpr uint64_t kDense_ns = 10'000, kLong_ns = 1'000'000;
constexpr Tid kOne{1}, kOther{2};

/// Stops at the same distance from each other.
struct Stops {
  StopPace pace;
  uint64_t time_ns = 1'000'000'000;
  Verdict next(Tid tid, uint64_t gap_ns, Company company, bool engaged) {
    return pace.at_stop(tid, time_ns += gap_ns, company, engaged);
  }
};

}  // namespace

TEST_CASE("stop pace: after a few dense stops in a row the tracer follows, whichever tracees stop") {
  Stops stops;
  CHECK(stops.next(kOne, kLong_ns, Company::Others, false) == Verdict::Nothing);
  for (int i = 0; i < 3; i++)
    CHECK(stops.next(i % 2 ? kOne : kOther, kDense_ns, Company::Others, false) == Verdict::Nothing);
  CHECK(stops.next(kOne, kDense_ns, Company::Others, false) == Verdict::Engage);
  CHECK(stops.next(kOne, kDense_ns, Company::Others, false) == Verdict::Nothing);
}

TEST_CASE("stop pace: after stops far apart the tracer follows only if one tracee runs alone") {
  Stops together, alone;
  for (int i = 0; i < 20; i++) CHECK(together.next(kOne, kLong_ns, Company::Others, false) == Verdict::Nothing);
  for (int i = 0; i < 3; i++) CHECK(alone.next(kOne, kLong_ns, Company::None, false) == Verdict::Nothing);
  CHECK(alone.next(kOne, kLong_ns, Company::None, false) == Verdict::Engage);
}

TEST_CASE("stop pace: the tracer gives way to tracees that compute while others run") {
  Stops stops;
  CHECK(stops.next(kOne, kLong_ns, Company::Others, true) != Verdict::GiveWay);
  CHECK(stops.next(kOne, kLong_ns, Company::Others, true) != Verdict::GiveWay);
  CHECK(stops.next(kOne, kLong_ns, Company::Others, true) == Verdict::GiveWay);
  stops.pace.relax();
  for (int i = 0; i < 20; i++) CHECK(stops.next(kOne, kLong_ns, Company::None, true) != Verdict::GiveWay);
  for (int i = 0; i < 20; i++)
    for (uint64_t gap_ns : {kLong_ns, kDense_ns, kDense_ns, kDense_ns, kDense_ns})
      CHECK(stops.next(kOne, gap_ns, Company::Others, true) != Verdict::GiveWay);
}

TEST_CASE("stop pace: the CPU of a tracee that stops again is looked up after a gap, or after many stops") {
  Stops stops;
  CHECK(stops.next(kOne, kDense_ns, Company::None, true) == Verdict::Nothing);
  CHECK(stops.next(kOther, kDense_ns, Company::None, true) == Verdict::Nothing);
  CHECK(stops.next(kOther, kDense_ns, Company::None, true) == Verdict::Again);
  CHECK_FALSE(stops.pace.is_check_due(true));
  CHECK(stops.next(kOther, kLong_ns, Company::None, true) == Verdict::Again);
  CHECK(stops.pace.is_check_due(true));
  stops.pace.checked();
  int looks = 1;
  while (!stops.pace.is_check_due(false)) looks++;
  CHECK(looks == 256);
}

}  // namespace strut::test
