// Children of parents that die before their event is handled.
#include "ptrace/engine/births.hpp"

#include <csignal>

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "procfs/process_status.hpp"
#include "ptrace/requests/control.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut::test {
namespace {

constexpr size_t kStackBytes = 64 * 1024;

int sleep_on(void*) {
  for (;;) ::pause();
}

/// A tracee that has made a child with these flags and stands at the event of that.
class Parent {
 public:
  explicit Parent(int flags) : pid_(::fork()) {
    if (pid_ == 0) {
      void* stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      ::raise(SIGSTOP);
      ::clone(sleep_on, static_cast<std::byte*>(stack) + kStackBytes, flags | SIGCHLD, nullptr);
      for (;;) ::pause();
    }
    int status;
    ::waitpid(pid_, &status, WUNTRACED);
    REQUIRE(seize(tid(), PTRACE_O_TRACEFORK | PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0);
    ::kill(pid_, SIGCONT);
    while (::waitpid(pid_, &status, __WALL) == pid_ && status >> 16 != PTRACE_EVENT_FORK)
      restart(tid(), Restart::Freely, WSTOPSIG(status) == SIGCONT ? SIGCONT : 0);
    child_ = Tid{static_cast<int32_t>(event_message(tid()).value_or(0))};
    REQUIRE(raw(child_) > 0);
    REQUIRE(wait_for(child_).has_value());
  }
  Parent(const Parent&) = delete;
  ~Parent() {
    ::kill(raw(child_), SIGKILL);
    ::waitpid(raw(child_), nullptr, __WALL);
  }
  void die() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, __WALL);
  }
  Tid tid() const { return Tid{pid_}; }
  Tid child() const { return child_; }

 private:
  pid_t pid_;
  Tid child_{};
};

}  // namespace

TEST_CASE("births: a child that runs in the memory of a parent that died has its address space") {
  for (int flags : {CLONE_VM, 0}) {
    Parent parent(flags);
    auto process = std::make_shared<ProbedProcess>();
    process->pid = Pid{raw(parent.tid())};
    process->space = std::make_shared<AddressSpace>(process->pid, parent.tid());
    Births births;
    bool is_stranger = false;
    CHECK_FALSE(births.arrived(parent.child(), [&](Pid) { return process; }, is_stranger));
    CHECK(births.await_one_in(*process->space));
    parent.die();
    CHECK(births.died(process, {}, true) == std::vector<Tid>{parent.child()});
    const Births::Child* known = births.expected(parent.child());
    REQUIRE(known);
    CHECK((known->process->space == process->space) == (flags == CLONE_VM));
    CHECK(process->space->was_shared() == (flags == CLONE_VM));
  }
}

TEST_CASE("births: a child with memory copied before the guard came has none") {
  std::vector<std::byte> code(trap_guard_code().begin(), trap_guard_code().end());
  for (bool had_come : {true, false}) {
    if (!had_come) code.assign(code.size(), std::byte{0});
    Parent parent(0);
    ProbedThread thread;
    thread.tid = parent.tid();
    thread.process = std::make_shared<ProbedProcess>();
    thread.process->pid = Pid{raw(parent.tid())};
    thread.process->space = std::make_shared<AddressSpace>(thread.process->pid, parent.tid());
    thread.process->guard =
        TrapGuard{reinterpret_cast<uint64_t>(code.data()), {}};  // the child's memory is a copy of ours
    thread.process->guard_was_tried = true;
    Births births;
    births.expect(thread, parent.child(), true);
    const Births::Child* known = births.expected(parent.child());
    REQUIRE(known);
    CHECK(known->process->guard.has_value() == had_come);
    CHECK(known->process->guard_was_tried == had_come);
    parent.die();
  }
}

TEST_CASE("births: a child in its parent's memory that has no handler of SIGTRAP gets a guard before it runs") {
  Parent parent(CLONE_VM);
  ProbedThread thread;
  thread.tid = parent.tid();
  thread.process = std::make_shared<ProbedProcess>();
  thread.process->pid = Pid{raw(parent.tid())};
  thread.process->space = std::make_shared<AddressSpace>(thread.process->pid, parent.tid());
  thread.process->guard = TrapGuard{reinterpret_cast<uint64_t>(trap_guard_code().data()), {}};
  thread.process->guard_was_tried = true;
  Births births;
  births.expect(thread, parent.child(), true);
  const Births::Child* known = births.expected(parent.child());
  REQUIRE(known);
  CHECK_FALSE(known->process->guard);
  CHECK_FALSE(known->process->guard_was_tried);
  bool is_stranger = false;
  auto arrived = births.arrived(parent.child(), [&](Pid) { return thread.process; }, is_stranger);
  REQUIRE(arrived);
  CHECK(arrived->process->guard);
  auto status = process_status(parent.child());
  REQUIRE(status);
  CHECK((status->caught & uint64_t{1} << (SIGTRAP - 1)) != 0);
  parent.die();
}

}  // namespace strut::test
