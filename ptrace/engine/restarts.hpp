// How stopped tracees go on, and those that stand still for an injected delay.
#pragma once

#include <cstdint>
#include <optional>

#include "ptrace/cpu/cpu_follower.hpp"
#include "ptrace/engine/injector.hpp"
#include "ptrace/engine/stop_poll.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

struct EngineSettings;

class Restarts {
 public:
  /// `cpu`: has a value while tracees are restarted. All outlive this.
  Restarts(const EngineSettings& settings, TraceeTable& tracees, StopPoll& poll, std::optional<CpuFollower>& cpu)
      : settings_(settings), tracees_(tracees), poll_(poll), cpu_(cpu) {}

  /// Tracees stop by themselves for the calls that are wanted.
  void note_seccomp(bool is_in_force) { seccomp_in_force_ = is_in_force; }
  bool seccomp_in_force() const { return seccomp_in_force_; }

  Restart how(const Tracee& tracee) const;
  /// The tracee is inside of a call, and will stop when that returns.
  bool stops_at_return(const Tracee& tracee) const {
    return tracee.place() == Place::Inside && how(tracee) == Restart::ToSyscall;
  }
  /// False: it stands still for its delay first.
  bool go_on(Tracee& tracee, Resumption resumption);

  void resume_due();
  /// When the next delay is over; UINT64_MAX: none is under way.
  uint64_t next_ns() const;
  /// The tracee stands still no longer, or is no tracee any more.
  void end_delay(Tracee& tracee);

 private:
  bool needs_calls(const Tracee& tracee) const;

  const EngineSettings& settings_;
  TraceeTable& tracees_;
  StopPoll& poll_;
  std::optional<CpuFollower>& cpu_;
  bool seccomp_in_force_ = false;
  size_t delayed_ = 0;
};

}  // namespace strut
