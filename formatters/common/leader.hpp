// The text in front of every line of strace's output: pid, times, call number, instruction pointer.
#pragma once

#include <cstdint>
#include <ctime>

#include "formatters/common/text_buffer.hpp"
#include "formatters/strace/style.hpp"
#include "trace/event.hpp"

namespace strut {

/// Writes leaders one after the other; remembers the last one's time for -r.
class Leader {
 public:
  explicit Leader(const StraceStyle& style) : style_(style) {}

  enum class Pid : uint8_t { Shown, Hidden };
  void put(TextBuffer& out, const Event& event, Pid pid);

 private:
  void put_pid(TextBuffer& out, const ThreadName& thread) const;
  void put_absolute(TextBuffer& out, uint64_t realtime_ns);
  void put_relative(TextBuffer& out, uint64_t monotonic_ns);
  void put_time_of_day(TextBuffer& out, time_t seconds);

  const StraceStyle& style_;
  uint64_t last_ns_ = 0;      ///< CLOCK_MONOTONIC of the previous leader; 0: none yet
  time_t broken_down_ = -1;   ///< the second that time_of_day_ stands for
  char time_of_day_[9] = {};  ///< "HH:MM:SS"
};

/// The fraction of a second, cut to the precision, with its point; nothing for whole seconds.
void put_fraction(TextBuffer& out, uint64_t nanoseconds, Precision precision);

}  // namespace strut
