// Lines that grow while other threads write theirs: one open line in a shared log, one per thread in separate ones.
#pragma once

#include <memory>
#include <string_view>

#include "base/ids.hpp"
#include "base/result.hpp"
#include "formatters/common/output.hpp"
#include "formatters/common/text_buffer.hpp"

namespace strut {

/// A thread's line; empty text: none is open. Stays where it is while it is open.
struct OpenLine {
  TextBuffer text;
  size_t written = 0;  ///< bytes of `text` that are in the output already

  bool is_open() const { return !text.empty(); }
};

/// Sees to it that lines do not run into each other.
class LineLog {
 public:
  explicit LineLog(std::shared_ptr<Output> output) : output_(std::move(output)) {}

  /// Makes room for a new line of this thread: the line in its way ends in ` <unfinished ...>`.
  Result<void> begin(Tid thread, OpenLine& line);
  /// Ends the line with this text; nothing if it is not open.
  Result<void> end(Tid thread, OpenLine& line, std::string_view text = {});
  /// Takes the line out as it is, with its last newline in it.
  Result<void> finish(Tid thread, OpenLine& line);
  /// Writes the unwritten part of an open line to the output.
  Result<void> send(Tid thread, OpenLine& line);
  /// Does so for the open line of a shared log, if there is one.
  Result<void> send_open();
  /// The thread writes no more; its line is dropped.
  Result<void> close(Tid thread, const OpenLine& line);

  Output& output() { return *output_; }
  bool goes_to(const std::shared_ptr<Output>& other) const { return output_ == other; }

 private:
  std::shared_ptr<Output> output_;
  OpenLine* open_ = nullptr;  ///< in a shared log
  Tid open_thread_{};
};

}  // namespace strut
