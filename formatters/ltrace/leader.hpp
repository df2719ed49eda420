// The text in front of every line of ltrace's output: pid, time, instruction pointer.
#pragma once

#include <cstdint>

#include "formatters/common/text_buffer.hpp"
#include "formatters/ltrace/text.hpp"
#include "trace/event.hpp"

namespace strut {

/// Writes leaders one after the other; remembers the last one's time for -r. The style outlives it.
class LtraceLeader {
 public:
  explicit LtraceLeader(const LtraceStyle& style) : style_(style) {}
  void put(TextBuffer& out, const Event& event);

 private:
  void put_relative(TextBuffer& out, uint64_t now_ns);
  void put_absolute(TextBuffer& out, uint64_t realtime_ns) const;

  const LtraceStyle& style_;
  uint64_t last_ns_ = 0;  ///< CLOCK_MONOTONIC of the line before; 0: none
};

/// `0.000328`.
void put_seconds(TextBuffer& out, uint64_t nanoseconds);

}  // namespace strut
