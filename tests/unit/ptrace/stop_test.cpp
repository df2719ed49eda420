// Wait statuses of tracees.
#include "ptrace/requests/stop.hpp"

#include <doctest/doctest.h>

#include <csignal>

#include <sys/ptrace.h>

namespace strut::test {

constexpr int stopped(int signal, int event = 0) { return event << 16 | signal << 8 | 0x7f; }

TEST_CASE("stop: the end of a thread") {
  CHECK(std::get<ExitStop>(classify(0)).status == 0);
  CHECK(std::get<ExitStop>(classify(255 << 8)).status == 255);
  auto killed = std::get<KilledStop>(classify(SIGSEGV | 0x80));
  CHECK(killed.signal == SIGSEGV);
  CHECK(killed.core_dumped);
  CHECK_FALSE(std::get<KilledStop>(classify(SIGKILL)).core_dumped);
}

TEST_CASE("stop: calls, signals and a real SIGTRAP are distinguished") {
  CHECK(std::holds_alternative<SyscallStop>(classify(stopped(SIGTRAP | 0x80))));
  CHECK(std::get<SignalStop>(classify(stopped(SIGTRAP))).signal == SIGTRAP);
  CHECK(std::get<SignalStop>(classify(stopped(SIGSTOP))).signal == SIGSTOP);
  CHECK(std::get<SignalStop>(classify(stopped(64))).signal == 64);
}

TEST_CASE("stop: PTRACE_EVENT_STOP is a group-stop only with a stopping signal") {
  for (int signal : {SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU})
    CHECK(std::get<GroupStop>(classify(stopped(signal, PTRACE_EVENT_STOP))).signal == signal);
  CHECK(std::holds_alternative<TrapStop>(classify(stopped(SIGTRAP, PTRACE_EVENT_STOP))));
}

TEST_CASE("stop: other events keep their number") {
  for (int event : {PTRACE_EVENT_FORK, PTRACE_EVENT_EXEC, PTRACE_EVENT_EXIT, PTRACE_EVENT_SECCOMP})
    CHECK(std::get<EventStop>(classify(stopped(SIGTRAP, event))).event == event);
}

}  // namespace strut::test
