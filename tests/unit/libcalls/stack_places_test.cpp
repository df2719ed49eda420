// Stacks by a process's mappings, while it lives and afterwards.
#include "libcalls/modules/stack_places.hpp"

#include <doctest/doctest.h>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace strut::test {
namespace {

/// A child that has two stacks with guards below, and memory without one: between two holes, where nothing is next to
/// it.
class Child {
 public:
  Child() {
    constexpr size_t kBytes = 8 << 16;
    auto* all = static_cast<char*>(::mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (size_t i : {1, 3, 6}) ::mprotect(all + (i << 16), 1 << 16, PROT_READ | PROT_WRITE);
    for (size_t i : {5, 7}) ::munmap(all + (i << 16), 1 << 16);
    low = reinterpret_cast<uint64_t>(all) + (1 << 16) + 64;
    high = low + (2 << 16);
    heap = low + (5 << 16);
    hole = low + (4 << 16);
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

  uint64_t low = 0, high = 0, heap = 0, hole = 0;
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

TEST_CASE("stack places: mappings at the time of the look count for a process that was gone at the first look") {
  Child child;
  SeenStacks seen;
  seen.changed(Pid{child.pid}, *maps_of(Pid{child.pid}));
  child.die();
  StackPlaces places(&seen);
  Tid tid{child.pid};
  places.belongs(tid, Pid{child.pid});
  CHECK(places.same(tid, child.low, child.low + 64));
  CHECK_FALSE(places.same(tid, child.low, child.high));
  CHECK_FALSE(places.same(tid, child.heap, child.heap + 64));
  // An unseen place is a thread's where a thread's would be.
  CHECK(places.same(tid, child.hole, child.hole + 64));
  CHECK_FALSE(places.same(tid, child.hole, child.heap));
  CHECK_FALSE(places.same(tid, 0x1000, 0x1040));
}

TEST_CASE("stack places: a child has what its parent had") {
  Child child;
  SeenStacks seen;
  seen.changed(Pid{child.pid}, *maps_of(Pid{child.pid}));
  seen.forked(Pid{child.pid}, Pid{1});
  CHECK(seen.of(Pid{1}).size() == seen.of(Pid{child.pid}).size());
  CHECK(seen.of(Pid{2}).empty());
}

TEST_CASE("stack places: memory that is no stack's may hold many") {
  Child child;
  StackPlaces places;
  Tid tid{child.pid};
  places.belongs(tid, Pid{child.pid});
  CHECK_FALSE(places.same(tid, child.heap, child.heap + 64));
  CHECK_FALSE(places.same(tid, child.high, child.heap));
  // The heap of the program, and the stack of its first thread.
  int local = 0;
  auto here = reinterpret_cast<uint64_t>(&local);
  CHECK(places.same(tid, here, here + 64));
  auto on_heap = reinterpret_cast<uint64_t>(::sbrk(0)) - 4096;
  CHECK_FALSE(places.same(tid, on_heap, on_heap + 64));
}

TEST_CASE("stack places: where nothing is there may have been a stack") {
  Child child;
  StackPlaces places;
  Tid tid{child.pid};
  places.belongs(tid, Pid{child.pid});
  CHECK_FALSE(places.same(tid, child.hole, child.hole + 64));
  CHECK_FALSE(places.same(tid, child.high, child.hole));
  CHECK_FALSE(places.same(tid, child.hole, child.heap));
  CHECK(places.same(tid, child.high, child.high + 64));
}

}  // namespace
}  // namespace strut::test
