// User stacks as strace -k writes them, a line a frame.
#pragma once

#include "formatters/common/readable_names.hpp"
#include "formatters/common/text_buffer.hpp"
#include "trace/unwinder.hpp"

namespace strut {

/// The text for a frame of an unknown function.
enum class Nameless : uint8_t {
  Empty,   ///< `()`: strace at signals and at the beginning of the launched command
  Offset,  ///< `(+0x0)`: at calls
  Walked,  ///< `(+0x0)`; where no module has the code `[unknown]`, and the walk goes on: `strut stack`
};

class StackText {
 public:
  /// Up to and with the first frame that no module has (unless Walked), without a newline at the end.
  void put(TextBuffer& out, const Stack& stack, Nameless nameless);

 private:
  void put_frame(TextBuffer& out, const StackFrame& frame, Nameless nameless);

  ReadableNames names_;
};

}  // namespace strut
