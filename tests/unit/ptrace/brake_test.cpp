// The brake while its threads act at the same time.
#include "ptrace/engine/brake.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owned_fd.hpp"

namespace strut {
namespace {

constexpr int kThreads = 24;

/// Threads that sleep, and one that executes a program, which kills them: it waits for the end of each.
[[noreturn]] void execute_among_threads() {
  for (int i = 0; i < kThreads; i++) std::thread([] { ::pause(); }).detach();
  std::thread([] {
    ::usleep(20'000);
    ::execl("/bin/true", "true", nullptr);
    ::_exit(1);
  }).join();
  ::_exit(1);
}

std::vector<Tid> threads_of(pid_t pid) {
  std::vector<Tid> tids;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task", error))
    tids.push_back(Tid{std::stoi(entry.path().filename())});
  return tids;
}

bool has_ended(int process, int milliseconds) {
  pollfd end{process, POLLIN, 0};
  return ::poll(&end, 1, milliseconds) > 0;
}

TEST_CASE("brake: threads are seized while their process executes a program") {
  constexpr int kRounds = 20, kPatience_ms = 20'000;
  for (int round = 0; round < kRounds; round++) {
    pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) execute_among_threads();
    OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    REQUIRE(process);
    std::unique_ptr<Brake> brake = make_ptrace_brake(SIGURG, [](Tid) { return false; });
    // It is requested again and again, as for unknown threads.
    std::thread asks([&] {
      while (!has_ended(process.number(), 0)) brake->seize(threads_of(child));
    });
    bool ended = has_ended(process.number(), kPatience_ms);
    CHECK(ended);
    if (!ended) ::kill(child, SIGKILL);
    asks.join();
    brake.reset();
    ::waitpid(child, nullptr, 0);
    if (!ended) break;
  }
}

constexpr int kChildren = 50;

/// Traces each process that it makes; says at the end how often that was refused.
[[noreturn]] void trace_children(int begin, int say) {
  char refused;
  if (::read(begin, &refused, 1) != 1) ::_exit(1);
  refused = 0;
  for (int i = 0; i < kChildren; i++) {
    pid_t child = ::fork();
    if (child == 0)
      for (;;) ::pause();
    if (::ptrace(PTRACE_SEIZE, child, 0, 0) != 0) refused++;
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, __WALL);
  }
  ::_exit(::write(say, &refused, 1) != 1);
}

TEST_CASE("brake: a process whose children are held can trace each of them") {
  int to_maker[2], from_maker[2];
  REQUIRE(::pipe(to_maker) == 0);
  REQUIRE(::pipe(from_maker) == 0);
  OwnedFd begin(to_maker[0]), go(to_maker[1]), answer(from_maker[0]), say(from_maker[1]);
  pid_t maker = ::fork();
  REQUIRE(maker >= 0);
  if (maker == 0) trace_children(begin.number(), say.number());
  OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, maker, 0)));
  REQUIRE(process);
  std::unique_ptr<Brake> brake = make_ptrace_brake(SIGURG, [](Tid) { return false; });
  brake->hold(Brake::Fresh::ProgramsAndChildren);
  brake->seize(threads_of(maker));
  REQUIRE(::write(go.number(), "g", 1) == 1);
  uint64_t held = 0;
  while (!has_ended(process.number(), 1)) {
    if (brake->held() == 0) continue;
    held++;
    brake->let_go_on();
  }
  brake.reset();
  ::waitpid(maker, nullptr, 0);
  say = OwnedFd();
  char refused = -1;
  REQUIRE(::read(answer.number(), &refused, 1) == 1);
  CHECK(refused == 0);
  CHECK(held == kChildren);
}

}  // namespace
}  // namespace strut
