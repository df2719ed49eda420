// The brake while its threads act at the same time.
#include "ptrace/engine/brake.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include <poll.h>
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

}  // namespace
}  // namespace strut
