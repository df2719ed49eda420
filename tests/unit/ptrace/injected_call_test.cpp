// Calls that strut has a tracee make.
#include "ptrace/requests/injected_call.hpp"

#include <atomic>
#include <csignal>

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ptrace/requests/control.hpp"
#include "ptrace/requests/waiting.hpp"

namespace strut::test {
namespace {

/// A tracee that counts, and stands still.
class Counting {
 public:
  Counting() {
    count_ = static_cast<std::atomic<int>*>(
        ::mmap(nullptr, sizeof *count_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pid_ = ::fork();
    if (pid_ == 0)
      for (;;) ++*count_;
    REQUIRE(seize(tid(), PTRACE_O_TRACESYSGOOD) == 0);
    stop();
    thread.tid = tid();
    thread.process = std::make_shared<ProbedProcess>();
    thread.process->pid = Pid{pid_};
    thread.process->space = std::make_shared<AddressSpace>(Pid{pid_}, tid());
  }
  Counting(const Counting&) = delete;
  ~Counting() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, __WALL);
    ::munmap(count_, sizeof *count_);
  }

  /// Whether it counts on, and nothing else happens to it.
  bool goes_on() {
    restart(tid(), Restart::Freely);
    int before = *count_;
    for (int look = 0; look < 20'000 && *count_ == before; look++) ::usleep(500);
    int status = 0;
    bool stands = ::waitpid(pid_, &status, WNOHANG | __WALL) != 0;
    bool counted = *count_ != before;
    if (!stands) stop();
    return counted && !stands;
  }

  ProbedThread thread;

 private:
  Tid tid() const { return Tid{pid_}; }
  void stop() {
    REQUIRE(interrupt(tid()));
    REQUIRE(wait_for(tid()).has_value());
  }

  std::atomic<int>* count_ = nullptr;
  pid_t pid_ = 0;
};

}  // namespace

TEST_CASE("injected call: it returns what the kernel says, and the tracee goes on") {
  Counting tracee;
  InjectedCall call{SYS_getpid, {}};
  CHECK(inject(tracee.thread, call) == raw(tracee.thread.process->pid));
  CHECK(tracee.goes_on());
}

TEST_CASE("injected call: where its code cannot run it is given up, and the tracee goes on") {
  alignas(4096) static std::byte no_code[4096];
  Counting tracee;
  tracee.thread.process->guard = TrapGuard{reinterpret_cast<uint64_t>(no_code), {}};
  InjectedCall call{SYS_getpid, {}};
  CHECK_FALSE(inject(tracee.thread, call));
  CHECK(tracee.goes_on());
}

}  // namespace strut::test
