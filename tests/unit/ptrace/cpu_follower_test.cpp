#include <csignal>

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "process/cpu_mask.hpp"
#include "ptrace/cpu/cpu_follower.hpp"

namespace strut::test {
namespace {

/// A process that computes until its end, on one CPU: another one would leave the tracer alone on the tracee's.
class Spinner {
 public:
  Spinner() : pid_(::fork()) {
    REQUIRE(pid_ >= 0);
    for (volatile bool runs = pid_ == 0; runs;) {
    }
    REQUIRE(set_affinity(pid_, CpuMask::only(::sched_getcpu())));
  }
  Spinner(const Spinner&) = delete;
  ~Spinner() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Tid tid() const { return Tid{pid_}; }

 private:
  pid_t pid_;
};

}  // namespace

TEST_CASE("cpu follower: a tracer that its spinning tracee keeps from the CPU leaves, if another one may wait for it") {
  if (!CpuFollower::may_leave_idle() || ::sysconf(_SC_NPROCESSORS_ONLN) < 2) {
    MESSAGE("SKIPPED: one CPU, or a user that may not raise a priority");
    return;
  }
  constexpr uint64_t kHanging_ns = 60'000'000'000;
  TraceRequest request;
  CpuFollower follower(request);
  Spinner tracee;
  for (uint64_t time_ns = monotonic_ns(), end_ns = time_ns + 100'000; time_ns < end_ns; time_ns += 10'000)
    follower.at_stop(tracee.tid(), time_ns, Company::Others);
  for (uint64_t began_ns = monotonic_ns(); follower.tracees_run_at_once() && monotonic_ns() < began_ns + kHanging_ns;) {
  }
  CHECK_FALSE(follower.tracees_run_at_once());
  CHECK(follower.has_backed_off());
}

TEST_CASE("cpu follower: tracees that wait for each other's CPU are given them back for a while") {
  constexpr uint64_t kDense_ns = 10'000, kLong_ns = 1'000'000;
  TraceRequest request;
  CpuFollower follower(request);
  Tid tracee{::gettid()};
  uint64_t time_ns = monotonic_ns();
  auto stops = [&](int number, uint64_t gap_ns) {
    for (int i = 0; i < number; i++) follower.at_stop(tracee, time_ns += gap_ns, Company::Others);
  };
  stops(8, kDense_ns);
  if (!follower.tracees_run_at_once() && !follower.has_backed_off()) {
    MESSAGE("SKIPPED: one CPU, or a user that may not raise a priority");
    return;
  }
  stops(4, kLong_ns);
  stops(8, kDense_ns);
  CHECK(follower.has_backed_off());
  CHECK_FALSE(follower.tracees_run_at_once());
}

}  // namespace strut::test
