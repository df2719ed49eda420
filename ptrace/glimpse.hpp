// A look at the tracee that was restarted last, before anybody is waited for.
//
// On one CPU a restarted tracee often runs at once in the tracer's place, and has stopped again before its restart returns
// (CpuFollower). Asking it for its call finds that out and saves the wait: a tracee that runs answers no request
// (ESRCH, ptrace(2)).
#pragma once

#include <algorithm>

#include "ptrace/control.hpp"
#include "ptrace/tracee.hpp"

namespace strut {

/// Whether tracees are known to run in the tracer's place.
enum class Chance : uint8_t { Unknown, Good };

class Glimpse {
 public:
  /// This tracee has been restarted and has not been heard of since; Tid{}: nobody.
  void went_on(Tid tid) { tid_ = tid; }
  Tid candidate() const { return tid_; }

  /// Whether it stands at the very syscall-stop that must come next; then `info` is filled. Whatever else it stands at is
  /// for the wait to tell, and so is a signal whose sender dressed it up as a syscall-stop.
  /// To be asked once, and not at all if the next stop of anybody has already been taken.
  bool catches(const Tracee& tracee, bool seccomp_in_force, Chance chance, SyscallInfo& info) {
    tid_ = Tid{};
    if (chance == Chance::Unknown && skip_ > 0) return skip_--, false;
    if (read_syscall_info(tracee.tid, info) && info.op == expected(tracee, seccomp_in_force)) {
      next_skip_ = 0;
      return true;
    }
    skip_ = next_skip_;
    next_skip_ = std::min(next_skip_ * 2 + 1, kMostSkipped);
    return false;
  }

 private:
  /// Looks that find nothing make further ones rarer: a tracee on another CPU has not stopped again so soon.
  static constexpr int kMostSkipped = 63;

  static int expected(const Tracee& tracee, bool seccomp_in_force) {
    if (tracee.place() == Place::Inside) return PTRACE_SYSCALL_INFO_EXIT;
    return seccomp_in_force ? PTRACE_SYSCALL_INFO_SECCOMP : PTRACE_SYSCALL_INFO_ENTRY;
  }

  Tid tid_{};
  int skip_ = 0;
  int next_skip_ = 0;
};

}  // namespace strut
