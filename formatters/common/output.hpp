// Where formatted bytes go: one descriptor, or a file per thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"

namespace strut {

/// Bytes of one log. Whole lines and, while a call blocks, the beginning of a line.
class Output {
 public:
  virtual ~Output() = default;
  /// Appends to the log of this thread (the same log for all of them, unless separate()). No bytes: only sees to it
  /// that the log exists.
  virtual Result<void> write(Tid thread, std::string_view bytes) = 0;
  /// Makes the written bytes visible outside.
  virtual Result<void> flush() = 0;
  /// No more bytes of this thread for now: a log of its own is closed.
  virtual Result<void> close(Tid thread) = 0;
  /// True if every thread has a log of its own (-ff -o NAME: NAME.TID), so that no pid and no <unfinished ...> is
  /// needed.
  virtual bool separate() const = 0;
  /// From here on bytes may be kept until flush(), whatever the log is: the reported events are past.
  virtual void gather() = 0;
  /// True if written bytes are seen at once, perhaps by the target itself (a terminal, a pipe, a shared stderr): the
  /// beginning of a line is then written before the target runs on.
  virtual bool immediate() const = 0;
};

/// A descriptor that is already open (stderr, a file, the pipe of `-o |command`). Closes it if `owned`. A regular file
/// that is owned gathers bytes until flush(); everything else is written at once, until gather().
enum class Ownership : uint8_t { Borrowed, Owned };
std::unique_ptr<Output> make_fd_output(int fd, Ownership ownership, std::string name);
/// One file `prefix.TID` per thread, created when its first byte comes; appended to if `append`.
enum class OpenMode : uint8_t { Truncate, Append };
std::unique_ptr<Output> make_separate_output(std::string prefix, OpenMode mode);

}  // namespace strut
