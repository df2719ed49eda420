// The command that strut launched and is the parent of: its end, where no record reports it.
#pragma once

#include <optional>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "kassist/syscalls/events/event_builder.hpp"
#include "trace/backend.hpp"

namespace strut {

class LaunchedCommand {
 public:
  /// `builder` outlives it.
  explicit LaunchedCommand(EventBuilder& builder) : builder_(builder) {}
  /// nullopt: there is none, or another process is its parent.
  std::optional<Pid> child() const { return child_; }
  void is_child(Pid pid) { child_ = pid; }

  /// Reports ends that no record reports: another thread execs in its stead, or the command is hidden from the caller.
  Result<void> look_for_end();
  /// It ends with strut, as it would if the signal had come to both from a terminal.
  void end(int signal) const;
  /// The command's exit is reported before it is complete: its files and locks are released when it can be waited for.
  void take_status(Outcome& outcome) const;

 private:
  EventBuilder& builder_;
  std::optional<Pid> child_;
};

}  // namespace strut
