// Where events go.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "trace/event.hpp"

namespace strut {

/// Turns events into something: text, tables, JSON. Called from one thread, in order.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Once, before all else: the backend that will report ("ptrace", "kassist") is chosen. Error: as of take().
  virtual Result<void> begin(std::string_view /*backend*/) { return {}; }

  /// Takes one event; everything it points to dies with the call. An Error (output full, closed) ends the trace.
  virtual Result<void> take(const Event& event) = 0;

  /// Makes all output so far visible outside. A backend calls it at most about 50 ms after an event, from the
  /// thread that takes: a sink may buffer until then, unless its output is shared with the target or with messages (a
  /// terminal), where every event must be out when take() returns; but for a backend that called gather().
  virtual Result<void> flush() = 0;

  /// Before the first event: no target waits for its report, so that nothing has to be visible before flush().
  virtual void gather() {}

  /// No event will follow. Writes the remaining output (tables).
  virtual Result<void> finish() = 0;
};

}  // namespace strut
