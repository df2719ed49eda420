// The text in front of every line of truss's output: process, thread, times.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "formatters/common/text_buffer.hpp"
#include "formatters/truss/style.hpp"
#include "trace/event.hpp"

namespace strut {

/// Writes leaders one after the other; remembers each thread's last time for -D. The style outlives it.
class TrussLeader {
 public:
  explicit TrussLeader(const TrussStyle& style) : style_(style) {}

  /// `Base time stamp: SECONDS.FRACTION [ DATE ]`: the origin of -d, which is this moment.
  void put_base(TextBuffer& out, const Timestamp& base);

  /// Process, thread and times: `PID/LWP:\t`, and the times that are asked for. `system_ns`: CPU time of the call in
  /// this line.
  void put(TextBuffer& out, const Event& event, uint64_t system_ns);
  /// Process and thread only: for further lines about the same event.
  void put_name(TextBuffer& out, const ThreadName& thread) const;

  /// How many threads a process has: from two on lines say which.
  void born(const ThreadName& thread);
  void attached(Pid pid, uint32_t threads) { threads_[raw(pid)] = threads; }
  void died(const ThreadName& thread);

 private:
  bool shows_lwp(Pid pid) const;

  const TrussStyle& style_;
  uint64_t base_ns_ = 0;
  std::unordered_map<int32_t, uint64_t> last_ns_;  ///< by tid: CLOCK_MONOTONIC of its line before
  std::unordered_map<int32_t, uint32_t> threads_;  ///< by pid; none: one
};

}  // namespace strut
