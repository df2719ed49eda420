#include "ptrace/requests/waiting.hpp"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "process/wait_status.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

uint64_t nanoseconds_of(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_usec) * 1000;
}

std::optional<Waited> look(idtype_t kind, pid_t id, int options, Usage usage) {
  siginfo_t info;
  info.si_pid = 0;
  rusage used{};
  // waitid of the C library has no argument for the usage.
  // Without WSTOPPED: stops of tracees are reported all the same (wait(2)), and one of a child that is no tracee any
  // more would come again and again, before those of others.
  long result = ::syscall(SYS_waitid, kind, id, &info, WEXITED | WNOWAIT | __WALL | options,
                          usage == Usage::Measure ? &used : nullptr);
  if (result != 0 || info.si_pid == 0) return std::nullopt;
  return Waited{Tid{info.si_pid}, wait_status_of(info), nanoseconds_of(used.ru_stime)};
}

int option_of(WaitScope scope) { return scope == WaitScope::Thread ? __WNOTHREAD : 0; }

}  // namespace

Waited stopped_by(Tid tid, int signal) { return {tid, W_STOPCODE(signal)}; }

std::optional<Waited> look_at_next(Usage usage, WaitScope scope) { return look(P_ALL, 0, option_of(scope), usage); }

std::optional<Waited> look_at_any(WaitScope scope) { return look(P_ALL, 0, option_of(scope) | WNOHANG, Usage::Omit); }

std::optional<Waited> look_at(Tid tid, Usage usage) { return look(P_PID, raw(tid), WNOHANG | __WNOTHREAD, usage); }

std::optional<Waited> wait_for(Tid tid) { return look(P_PID, raw(tid), __WNOTHREAD, Usage::Omit); }

std::optional<Waited> wait_unless_dead(Tid tid) {
  constexpr unsigned kYields = 100, kLooksAtState = 20;
  constexpr timespec kPause{0, 50'000};
  for (unsigned looks = 0;; looks++) {
    if (std::optional<Waited> waited = look_at(tid, Usage::Omit)) return waited;
    if (looks < kYields) {
      ::sched_yield();
      continue;
    }
    ::nanosleep(&kPause, nullptr);
    char state = looks % kLooksAtState == 0 ? state_of(tid) : 'R';
    if (state == 'Z' || state == 'X' || state == '\0') return look_at(tid, Usage::Omit);
  }
}

void take(Tid tid) { ::waitpid(raw(tid), nullptr, WNOHANG | __WALL); }

}  // namespace strut
