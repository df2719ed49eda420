#include "ptrace/requests/stop.hpp"

#include <csignal>

#include <sys/ptrace.h>
#include <sys/wait.h>

namespace strut {

namespace {
bool stops_processes(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}
}  // namespace

Stop classify(int wait_status) {
  if (WIFEXITED(wait_status)) return ExitStop{WEXITSTATUS(wait_status)};
  if (WIFSIGNALED(wait_status)) return KilledStop{WTERMSIG(wait_status), WCOREDUMP(wait_status) != 0};
  int signal = WSTOPSIG(wait_status);
  int event = wait_status >> 16;
  if (event == PTRACE_EVENT_STOP) {
    if (stops_processes(signal)) return GroupStop{signal};
    return TrapStop{};
  }
  if (event != 0) return EventStop{event};
  if (signal == (SIGTRAP | 0x80)) return SyscallStop{};
  return SignalStop{signal};
}

bool is_of_another_thread(const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  return event && event->event == PTRACE_EVENT_EXEC;
}

int pending_signal(const Stop& stop) {
  auto* signal = std::get_if<SignalStop>(&stop);
  return signal ? signal->signal : 0;
}

}  // namespace strut
