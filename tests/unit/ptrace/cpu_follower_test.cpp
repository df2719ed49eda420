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

/// A child that does one thing until its end.
class Child {
 public:
  template <typename Does>
  explicit Child(Does does) : pid_(::fork()) {
    REQUIRE(pid_ >= 0);
    while (pid_ == 0) does();
  }
  Child(const Child&) = delete;
  ~Child() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  Tid tid() const { return Tid{pid_}; }

 private:
  pid_t pid_;
};

/// On one CPU: another one would leave the tracer alone on the tracee's.
void check_that_the_tracer_leaves(Company company) {
  constexpr uint64_t kHanging_ns = 60'000'000'000;
  TraceRequest request;
  CpuFollower follower(request);
  Child tracee([] { __asm__ volatile(""); });
  REQUIRE(set_affinity(raw(tracee.tid()), CpuMask::only(::sched_getcpu())));
  for (uint64_t time_ns = monotonic_ns(), end_ns = time_ns + 100'000; time_ns < end_ns; time_ns += 10'000)
    follower.at_stop(tracee.tid(), time_ns, company);
  for (uint64_t began_ns = monotonic_ns(); follower.tracees_run_at_once() && monotonic_ns() < began_ns + kHanging_ns;) {
  }
  CHECK_FALSE(follower.tracees_run_at_once());
  CHECK(follower.has_backed_off());
}

bool may_follow() {
  bool may = TracerCpu::may_leave_idle() && ::sysconf(_SC_NPROCESSORS_ONLN) >= 2;
  if (!may) MESSAGE("SKIPPED: one CPU, or a user that may not raise a priority");
  return may;
}

}  // namespace

TEST_CASE("cpu follower: a tracer that its spinning tracee keeps from the CPU leaves, if another one may wait for it") {
  if (may_follow()) check_that_the_tracer_leaves(Company::Others);
}

TEST_CASE("cpu follower: it leaves, too, if a tracee has stopped that it does not know yet") {
  if (!may_follow()) return;
  Child stopped([] { ::raise(SIGSTOP); });
  check_that_the_tracer_leaves(Company::None);
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
