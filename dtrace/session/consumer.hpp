// What a session's user does with its output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "dlang/machine/engine.hpp"
#include "dlang/output/formatter.hpp"

namespace strut {

/// A line of a firing, before its text.
struct DRowHead {
  uint32_t cpu = 0;
  uint32_t id = 0;
  Pid pid{};
  Tid tid{};
  uint64_t time_ns = 0;  ///< CLOCK_MONOTONIC
  std::string_view provider, module, function, name;
};

/// The layout of a session's text, and the actions of programs.
class DConsumer {
 public:
  virtual ~DConsumer() = default;
  /// The text around that of a firing; both append. Options may have changed meanwhile (setopt).
  virtual void begin_row(std::string& out, const DRowHead& head, const DSettings& settings) = 0;
  virtual void end_row(std::string& out, const DSettings& settings) = 0;
  /// Behind the last row and the aggregations.
  virtual void end_rows(std::string& /*out*/) {}
  /// Takes the values of rows, for output that is not DTrace's text; nullptr: it is.
  virtual DValues* values() { return nullptr; }
  /// An argument of a system call as strace shows it: DCallArgument and memory of a firing in this thread.
  virtual std::string call_argument(const DTrigger::Syscall& call, Tid caller, std::string_view recorded) = 0;
  /// Output of the program. Error: it cannot be written (a closed pipe, a full disk). That is said once, and the run
  /// ends when the commands of -c have ended, at once without any.
  virtual Result<void> write(std::string_view text) = 0;
  /// A line for stderr that is no output: drops, faults.
  virtual void complain(std::string_view line) = 0;
  /// A line that quiet programs do not print: "pid 12 has exited".
  virtual void mention(std::string_view line) = 0;
  virtual void system(const std::string& command) = 0;
  virtual Result<void> freopen(const std::string& path) = 0;
  virtual void ftruncate() = 0;
  /// While probes are armed: so many sites of so many have theirs.
  virtual void arming(uint64_t done, uint64_t wanted) = 0;
  /// All of them have.
  virtual void armed() = 0;
  /// A signal that asks the run to end came.
  virtual bool is_interrupted() = 0;
};

}  // namespace strut
