// How long a tracer waits until it follows tracees again, once it had to give that up: longer each time.
#pragma once

#include <atomic>
#include <cstdint>

namespace strut {

/// Times are CLOCK_MONOTONIC. The owner changes it under one lock; allows() and has_begun() need no lock.
class Backoff {
 public:
  /// Whether the last wait is over.
  bool allows(uint64_t time_ns) const { return time_ns >= not_before_ns_.load(std::memory_order_relaxed); }
  /// Whether there has been any wait.
  bool has_begun() const { return not_before_ns_.load(std::memory_order_relaxed) != 0; }

  /// The tracer begins to follow.
  void engaged(uint64_t time_ns) { engaged_at_ns_ = time_ns; }
  /// The tracer has given up following: the next wait begins.
  void begin();
  /// The tracer must not follow again.
  void begin_for_ever() { not_before_ns_ = UINT64_MAX; }

 private:
  static constexpr uint64_t kFirst_ns = 30'000'000;
  static constexpr uint64_t kLongest_ns = 4'000'000'000;
  static constexpr uint64_t kLasting = 4;  ///< followed for longer than so many next waits: they are short again

  std::atomic<uint64_t> not_before_ns_ = 0;
  uint64_t engaged_at_ns_ = 0;
  uint64_t next_ns_ = kFirst_ns;
};

}  // namespace strut
