// Starts the command, stopped before its execve until the tracer is ready.
#pragma once

#include <functional>

#include "base/result.hpp"
#include "trace/request.hpp"

namespace strut {

/// A process that waits to become the command. Released, it says its last words and calls execve; it ends with status 1
/// if that fails. Not released before this object ends, it ends without either.
class HeldCommand {
 public:
  /// Forks. With Daemon modes this process becomes the command, and a new one returns from here as the tracer.
  /// `last_words` runs in the command's process between release and execve, `refused` where that has failed, with its
  /// errno.
  static Result<HeldCommand> fork(const TraceRequest& request, const std::function<void()>& last_words,
                                  const std::function<void(int)>& refused = {});
  HeldCommand(HeldCommand&& other) noexcept;
  HeldCommand& operator=(HeldCommand&&) = delete;
  ~HeldCommand();

  Pid pid() const { return pid_; }
  /// False with -D: its wait status is its parent's business.
  bool is_child() const { return is_child_; }
  void release();

 private:
  HeldCommand() = default;

  Pid pid_{};
  bool is_child_ = true;
  int gate_ = -1;  ///< the end of a pipe: a byte says go on, closing it says give up
};

}  // namespace strut
