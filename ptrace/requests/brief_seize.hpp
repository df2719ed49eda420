// PTRACE_SEIZE with a short wait.
//
// The kernel blocks the seizing thread while the other thread's process execs a program (its cred_guard_mutex), and
// execve(2) waits for the ends of all other threads, which are not over until their tracer has waited for them. Where
// that is the seizing thread, both wait for ever: seen on 6.18. A signal alone does not end the wait: it is restarted
// (ERESTARTNOINTR).
#pragma once

#include <time.h>

#include "base/ids.hpp"

namespace strut {

/// For the thread that makes it.
class BriefSeize {
 public:
  BriefSeize();
  ~BriefSeize();
  BriefSeize(const BriefSeize&) = delete;
  BriefSeize& operator=(const BriefSeize&) = delete;

  /// With PTRACE_O_ options. 0, or errno; EINTR: it took longer than some milliseconds. Then those that have ended are
  /// to be waited for, and it is to be tried again (EPERM: it was seized nevertheless).
  int seize(Tid tid, unsigned options);

 private:
  timer_t timer_{};
  bool has_timer_ = false;  ///< else it may wait for ever
};

}  // namespace strut
