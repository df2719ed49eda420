// Processes that are attached to together, some of them in one memory.
#include <algorithm>
#include <memory>

#include <sched.h>
#include <sys/mman.h>

#include "host_scene.hpp"
#include "ptrace/engine/shared_memory.hpp"

extern "C" long host_leaf(long a, long b);

namespace strut::test {
namespace {

constexpr size_t kStackBytes = 64 * 1024;

/// Calls that a process of a family makes at stage 1, before it exits.
struct Part {
  Shared* shared;
  int calls;
};

int call_and_count(void* argument) {
  auto* part = static_cast<Part*>(argument);
  wait_for_stage(*part->shared, 1);
  for (int i = 0; i < part->calls; i++) host_leaf(i, i);
  return part->calls;
}

/// A process, and a child in its memory.
class Family {
 public:
  Family(Shared& shared, int parents_calls, int childs_calls) {
    Shared* family = &*own_;
    Part parent{&shared, parents_calls}, child{&shared, childs_calls};
    void* stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pid_ = Pid{::fork()};
    REQUIRE(raw(pid_) >= 0);
    if (raw(pid_) == 0) {
      int made = ::clone(call_and_count, static_cast<std::byte*>(stack) + kStackBytes, CLONE_VM | SIGCHLD, &child);
      family->result = made;
      call_and_count(&parent);
      ::waitpid(made, nullptr, 0);
      ::_exit(parents_calls);
    }
    ::munmap(stack, kStackBytes);
    while (family->result.load() == 0) ::usleep(200);
  }
  Family(const Family&) = delete;
  ~Family() {
    for (Pid each : {child(), pid_}) ::kill(raw(each), SIGKILL);
    ::waitpid(raw(pid_), nullptr, 0);
  }
  Pid pid() const { return pid_; }
  Pid child() const { return Pid{static_cast<int32_t>(own_->result.load())}; }

 private:
  SharedMemory own_;
  Pid pid_{};
};

}  // namespace

TEST_CASE("shared memory: one scan of /proc finds the processes in the memory of each owner") {
  SharedMemory shared;
  Family one(*shared, 0, 0), other(*shared, 0, 0);
  std::vector<MemoryOwner> owners{{one.pid(), leader_of(one.pid())}, {other.pid(), leader_of(other.pid())}};
  std::map<Pid, Pid> found;
  for (auto& [pid, owner] : others_in_memories(owners)) found[pid] = owner.pid;
  CHECK(found == std::map<Pid, Pid>{{one.child(), one.pid()}, {other.child(), other.pid()}});
  CHECK(others_in_memory(owners[1]) == std::vector<Pid>{other.child()});
}

TEST_CASE("probe host: processes that are stopped together, one of them in another one's memory") {
  SharedMemory shared;
  Family family(*shared, 3, 5), strangers(*shared, 7, 11);
  std::vector<Pid> wanted{family.pid(), family.child(), strangers.pid()};
  Counting counting;
  {
    auto host = make_ptrace_probe_host();
    host->stop_for_attach(wanted);
    for (Pid pid : wanted) REQUIRE(host->attach(pid, counting));
    for (Pid pid : {family.pid(), strangers.pid()})
      CHECK(host->insert(pid, breakpoints_at({{address_of(host_leaf)}})).empty());
    shared->stage = 1;
    CHECK(serve_to_end(*host, counting, family.pid()) == 3 << 8);
    CHECK(serve_to_end(*host, counting, strangers.pid()) == 7 << 8);
  }
  CHECK(counting.by_process[raw(family.pid())] == 3);
  CHECK(counting.by_process[raw(family.child())] == 5);
  CHECK(counting.by_process[raw(strangers.pid())] == 7);
}

}  // namespace strut::test
