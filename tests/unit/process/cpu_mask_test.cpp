#include "process/cpu_mask.hpp"

#include <csignal>
#include <doctest/doctest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ptrace/cpu/pinned_mask.hpp"

namespace strut::test {

namespace {

/// A process that does nothing.
class Sleeper {
 public:
  Sleeper() : pid_(::fork()) {
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) ::pause();
  }
  ~Sleeper() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

int lowest(const CpuMask& mask) { return first_common(mask, CpuMask::all()).value(); }

/// The mask without its lowest CPU.
CpuMask but_lowest(CpuMask mask) {
  int cpu = lowest(mask);
  mask.words[static_cast<size_t>(cpu) / 64] &= ~(uint64_t{1} << (cpu % 64));
  return mask;
}

}  // namespace

TEST_CASE("cpu mask: bits") {
  CpuMask mask = CpuMask::only(700);
  CHECK(mask.contains(700));
  CHECK_FALSE(mask.contains(699));
  CHECK_FALSE(mask.contains(-1));
  CHECK_FALSE(mask.contains(CpuMask::kMaxCpus));
  CHECK(mask.count() == 1);
  CHECK(CpuMask::all().count() == CpuMask::kMaxCpus);
  CHECK(CpuMask::only(-1).count() == 0);
  CHECK(first_common(mask, CpuMask::all()) == 700);
  CHECK_FALSE(first_common(mask, CpuMask::only(701)));
}

TEST_CASE("cpu mask: what the C library says, and what the kernel refuses") {
  cpu_set_t own;
  REQUIRE(::sched_getaffinity(0, sizeof own, &own) == 0);
  auto mask = affinity_of(0);
  REQUIRE(mask);
  CHECK(mask->count() == CPU_COUNT(&own));
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) CHECK(mask->contains(cpu) == bool(CPU_ISSET(cpu, &own)));
  CHECK_FALSE(set_affinity(0, CpuMask{}));
  CHECK(affinity_of(0) == mask);
  CHECK_FALSE(affinity_of(INT32_MAX));
}

TEST_CASE("narrow mask: given back as it was") {
  Sleeper sleeper;
  CpuMask whole = *affinity_of(sleeper.pid());
  set_affinity(sleeper.pid(), CpuMask::all());
  bool restricted = affinity_of(sleeper.pid()) != whole;  // these tests may run on some CPUs only
  set_affinity(sleeper.pid(), whole);
  for (int twice = 0; twice < 2; twice++) {
    auto mask = plan_pinning(sleeper.pid(), lowest(whole));
    REQUIRE(mask);
    CHECK(narrow(*mask));
    CHECK(is_narrow(*mask));
    CHECK(mask->origin == (restricted ? PinnedMask::Origin::Restricted : PinnedMask::Origin::Unrestricted));
    give_back(*mask);
    CHECK(affinity_of(sleeper.pid()) == whole);
  }
}

TEST_CASE("narrow mask: given back whenever its maker was killed") {
  Sleeper sleeper;
  CpuMask whole = *affinity_of(sleeper.pid());
  CpuMask before = whole.count() > 1 ? but_lowest(whole) : whole;
  REQUIRE(set_affinity(sleeper.pid(), before));
  PinnedMask mask = *plan_pinning(sleeper.pid(), lowest(before));
  give_back(mask);
  CHECK(affinity_of(sleeper.pid()) == before);
  set_affinity(sleeper.pid(), CpuMask::all());
  give_back(mask);
  CHECK(affinity_of(sleeper.pid()) == before);
  set_affinity(sleeper.pid(), CpuMask::only(mask.cpu));
  give_back(mask);
  CHECK(affinity_of(sleeper.pid()) == before);
  CHECK(narrow(mask));
  give_back(mask);
  CHECK(affinity_of(sleeper.pid()) == before);
}

TEST_CASE("narrow mask: a mask set by another process stays") {
  Sleeper sleeper;
  CpuMask whole = *affinity_of(sleeper.pid());
  if (whole.count() < 2) return;  // there is nothing else to be set
  PinnedMask mask = *plan_pinning(sleeper.pid(), lowest(whole));
  REQUIRE(narrow(mask));
  CpuMask wanted = CpuMask::only(lowest(but_lowest(whole)));
  REQUIRE(set_affinity(sleeper.pid(), wanted));
  CHECK_FALSE(is_narrow(mask));
  give_back(mask);
  CHECK(affinity_of(sleeper.pid()) == wanted);
}

TEST_CASE("narrow mask: of no thread") {
  CHECK_FALSE(plan_pinning(INT32_MAX, 0));
  PinnedMask mask{INT32_MAX, 0, PinnedMask::Origin::Unknown, CpuMask::all()};
  CHECK_FALSE(narrow(mask));
  give_back(mask);
}

}  // namespace strut::test
