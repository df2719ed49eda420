// A way of tracing: ptrace or kassist.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.hpp"
#include "trace/request.hpp"
#include "trace/sink.hpp"

namespace strut {

/// How a trace ended.
struct Outcome {
  /// wait status of the launched command as wait4(2) stores it; 0 if there was none or it was left running.
  int status = 0;
  bool command_ended = false;  ///< `status` is the command's
  int interrupted_by = 0;      ///< the signal that ended strut's own run; 0: none
  std::optional<Pid> left;     ///< the launched command, strut's child, that lives on
};

/// Counts for --stats.
struct BackendStats {
  uint64_t events = 0;
  uint64_t lost = 0;
  uint64_t unseen = 0;
  uint64_t late = 0;  ///< reads of a target's memory after the event, for want of a copy that was made in it
  uint64_t held = 0;  ///< the number of times that a thread was stopped because reporting was slower than its calls
                      ///< (kassist's brake)
  uint64_t startup_ns = 0;  ///< from run() to the first event or to the last attach
  uint64_t unfollowed = 0;  ///< threads that were to be followed and could not be, for want of memory in the kernel
};

/// Things the user should hear that are neither events nor failures ("Process 12 attached"). Given to cli/ to print.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void say(std::string_view line) = 0;
  /// For lines that are no complaints and may be suppressed (strace -q): "System call limit has been reached …".
  virtual void mention(std::string_view line) { say(line); }
};

/// Turns the target's life into events. One object, one run.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;  ///< "ptrace", "kassist"

  /// Launches or attaches, and sends events to the sink until nothing is left to trace, a signal asks to stop, or the
  /// sink fails. However it returns, every target it did not launch runs on untouched.
  virtual Result<Outcome> run(const TraceRequest& request, Sink& sink, Listener& listener) = 0;

  virtual BackendStats stats() const = 0;
};

}  // namespace strut
