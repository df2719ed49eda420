// Where `strut strace` writes: stderr, a file, a file per thread, or a command's standard input.
#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "base/result.hpp"
#include "cli/strace/options.hpp"
#include "formatters/common/output.hpp"

namespace strut {

/// An open log. Destroying it flushes nothing; close() does and waits for a command that reads it.
class StraceOutput {
 public:
  /// Opens the outputs of -o, -A and -ff. Error: "Can't fopen 'x': …".
  static Result<StraceOutput> open(const StraceOptions& options);

  const std::shared_ptr<Output>& log() const { return log_; }
  /// stderr, as an Output; the log itself if that is stderr too.
  const std::shared_ptr<Output>& messages() const { return messages_; }
  /// True if the log is a terminal that shows colours.
  bool shows_colours() const;
  void close();

 private:
  std::shared_ptr<Output> log_;
  std::shared_ptr<Output> messages_;
  int fd_ = -1;        ///< for the log; -1: one file per thread
  pid_t reader_ = -1;  ///< the shell of `-o |command`
};

}  // namespace strut
