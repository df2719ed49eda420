// A non-blocking poll of the tracee that was restarted last, before any wait.
//
// On one CPU a restarted tracee often runs at once in the tracer's place, and has stopped again before its restart
// returns (CpuFollower). A request for its call, or for the signal of its stop, shows that and saves the wait: a tracee
// that runs answers no request (ESRCH, ptrace(2)).
#pragma once

#include <algorithm>
#include <csignal>

#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

/// Whether tracees are known to run in the tracer's place.
enum class Chance : uint8_t { Unknown, Good };

class StopPoll {
 public:
  /// This tracee has been restarted and has not stopped since; Tid{}: none.
  void went_on(Tid tid) { tid_ = tid; }
  Tid candidate() const { return tid_; }

  /// Whether it is at the very syscall-stop that must come next; then `info` is filled. Any other stop is left to the
  /// wait, and so is a signal that its sender made look like a syscall-stop. To be called once, and not at all if the
  /// next stop of any tracee has already been taken.
  bool catches(const Tracee& tracee, bool seccomp_in_force, Chance chance, SyscallInfo& info) {
    return looks(chance) && found(read_syscall_info(tracee.tid, info) && info.op == expected(tracee, seccomp_in_force));
  }
  /// Whether it stands at the SIGTRAP of an int3, as one does that was to stop for nothing else. Asked as catches().
  bool catches_trap(Tid tid, Chance chance) {
    siginfo_t info;
    return looks(chance) && found(read_siginfo(tid, info) && is_of_int3(info));
  }

 private:
  /// Looks that find nothing make further ones rarer: a tracee on another CPU has not stopped again so soon.
  static constexpr int kMaxSkipped = 63;

  bool looks(Chance chance) {
    tid_ = Tid{};
    if (chance == Chance::Good || skip_ == 0) return true;
    return skip_--, false;
  }
  bool found(bool caught) {
    skip_ = caught ? 0 : next_skip_;
    next_skip_ = caught ? 0 : std::min(next_skip_ * 2 + 1, kMaxSkipped);
    return caught;
  }

  static int expected(const Tracee& tracee, bool seccomp_in_force) {
    if (tracee.place() == Place::Inside) return PTRACE_SYSCALL_INFO_EXIT;
    return seccomp_in_force ? PTRACE_SYSCALL_INFO_SECCOMP : PTRACE_SYSCALL_INFO_ENTRY;
  }

  Tid tid_{};
  int skip_ = 0;
  int next_skip_ = 0;
};

}  // namespace strut
