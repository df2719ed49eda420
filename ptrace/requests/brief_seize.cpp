#include "ptrace/requests/brief_seize.hpp"

#include <cerrno>
#include <csetjmp>
#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

#include "ptrace/requests/control.hpp"

namespace strut {

namespace {

constexpr itimerspec kBriefly{{0, 5'000'000}, {0, 5'000'000}}, kNever{};

/// Nothing else in strut uses it.
int time_is_up() { return SIGRTMAX - 4; }

/// Where a thread that seizes goes on when its time is up. Out of a system call that would begin anew there is no other
/// way.
thread_local sigjmp_buf* volatile way_out = nullptr;

void leave(int) {
  sigjmp_buf* out = way_out;
  way_out = nullptr;
  if (out) siglongjmp(*out, 1);
}

}  // namespace

BriefSeize::BriefSeize() {
  struct sigaction action{};
  action.sa_handler = leave;
  ::sigaction(time_is_up(), &action, nullptr);
  sigset_t unblocked;
  sigemptyset(&unblocked);
  sigaddset(&unblocked, time_is_up());
  ::pthread_sigmask(SIG_UNBLOCK, &unblocked, nullptr);
  sigevent ends{};
  ends.sigev_notify = SIGEV_THREAD_ID;
  ends.sigev_signo = time_is_up();
  ends._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
  has_timer_ = ::timer_create(CLOCK_MONOTONIC, &ends, &timer_) == 0;
}

BriefSeize::~BriefSeize() {
  if (has_timer_) ::timer_delete(timer_);
}

int BriefSeize::seize(Tid tid, unsigned options) {
  if (!has_timer_) return strut::seize(tid, options);
  sigjmp_buf here;
  volatile int error = EINTR;
  if (sigsetjmp(here, 1) == 0) {
    way_out = &here;
    ::timer_settime(timer_, 0, &kBriefly, nullptr);
    error = strut::seize(tid, options);
    way_out = nullptr;
  }
  ::timer_settime(timer_, 0, &kNever, nullptr);
  return error;
}

}  // namespace strut
