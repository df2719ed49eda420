// Stacks by what a process has mapped, while it lives and when it does not.
#include "calls/stack_places.hpp"

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace strut::test {
namespace {

/// A child that has two mappings with a gap in between, where stacks may lie.
class Child {
 public:
  Child() {
    constexpr size_t kBytes = 3 << 16;
    auto* all = static_cast<char*>(::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (size_t i : {0, 2}) ::mprotect(all + (i << 16), 1 << 16, PROT_READ | PROT_WRITE);
    low = reinterpret_cast<uint64_t>(all) + 64;
    high = low + (2 << 16);
    pid = ::fork();
    for (; pid == 0;) ::pause();
    ::munmap(all, kBytes);
  }
  /// A zombie has no mappings, and its /proc/PID/maps can be read.
  void die() {
    ::kill(pid, SIGKILL);
    siginfo_t ended;
    ::waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT);
  }
  ~Child() {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }

  uint64_t low = 0, high = 0;
  pid_t pid = 0;
};

TEST_CASE("stack places: what was seen of a process holds when it is ending") {
  Child child;
  StackPlaces places;
  places.belongs(Tid{child.pid}, Pid{child.pid});
  CHECK(places.same(Tid{child.pid}, child.low, child.low + 64));
  CHECK_FALSE(places.same(Tid{child.pid}, child.low, child.high));
  child.die();
  CHECK_FALSE(places.same(Tid{child.pid}, child.low, child.high));
  CHECK(places.same(Tid{child.pid}, child.high, child.high + 64));
  CHECK(places.same(Tid{child.pid}, child.low, child.low + 64));
}

TEST_CASE("stack places: a process that was gone at the first look has one stack") {
  Child child;
  child.die();
  StackPlaces places;
  places.belongs(Tid{child.pid}, Pid{child.pid});
  CHECK(places.same(Tid{child.pid}, child.low, child.high));
}

}  // namespace
}  // namespace strut::test
