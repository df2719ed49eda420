#include "ptrace/waiting.hpp"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strut {

namespace {

uint64_t nanoseconds_of(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
}

/// What waitid(2) says, in wait4's words. For a stopped tracee si_status is all of its stop code, event included.
int status_of(const siginfo_t& info) {
  switch (info.si_code) {
    case CLD_EXITED: return (info.si_status & 0xff) << 8;
    case CLD_KILLED: return info.si_status & 0x7f;
    case CLD_DUMPED: return (info.si_status & 0x7f) | 0x80;
    default: return info.si_status << 8 | 0x7f;
  }
}

}  // namespace

std::optional<Waited> look_at_next(Usage usage) {
  siginfo_t info;
  rusage used{};
  // waitid of the C library has no argument for the usage.
  long result = ::syscall(SYS_waitid, P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL,
                          usage == Usage::Measure ? &used : nullptr);
  if (result != 0) return std::nullopt;
  return Waited{Tid{info.si_pid}, status_of(info), nanoseconds_of(used.ru_stime)};
}

void take(Tid tid) { ::waitpid(raw(tid), nullptr, WNOHANG | __WALL); }

std::optional<Waited> take_any(Usage usage) {
  int status;
  rusage used{};
  pid_t tid = ::wait4(-1, &status, WNOHANG | __WALL, usage == Usage::Measure ? &used : nullptr);
  if (tid <= 0) return std::nullopt;
  return Waited{Tid{tid}, status, nanoseconds_of(used.ru_stime)};
}

}  // namespace strut
