// Tracees that come and go: children, execs, deaths.
#pragma once

#include <optional>

#include "base/result.hpp"
#include "ptrace/engine/newborns.hpp"
#include "ptrace/engine/tracee.hpp"
#include "ptrace/requests/stop.hpp"

namespace strut {

class Engine;

class Lives {
 public:
  explicit Lives(Engine& engine) : engine_(engine) {}

  /// Children of tracees without breakpoints.
  const Newborns& newborns() const { return newborns_; }
  /// A thread that is no tracee has stopped or died. Returns the tracee that it has become; nullptr: it has not, or not
  /// yet, and its stop has been handled.
  Result<Tracee*> handle_unknown(Tid tid, bool is_dead);
  /// A thread that called execve stops as its leader, whether the leader was traced or not (ptrace(2), "execve(2) under
  /// ptrace").
  Result<void> follow_exec(Tid tid, const Stop& stop);
  Result<void> handle_exec(Tracee& tracee);
  Result<void> handle_death(Tracee& tracee, const Stop& stop, int status);
  /// The parent is at this PTRACE_EVENT_ of a child. Where there are breakpoints it is stopped until its child has come
  /// to its first stop: the child begins with the parent's current state.
  Result<void> expect_child(Tracee& parent, int event);
  /// Removes a tracee that was detached. `status`: it is dead.
  Result<void> forget(Tracee& tracee, std::optional<int> status);

 private:
  Result<void> begin_child(Tid child);
  Result<Tracee*> welcome(Tid tid);
  Result<Tracee*> welcome_probed(Tid tid);

  Engine& engine_;
  Newborns newborns_;
};

}  // namespace strut
