// For how long a tracer that had to give up its tracee's CPU does not try again: longer each time.
#pragma once

#include <atomic>
#include <cstdint>

namespace strut {

/// Times are CLOCK_MONOTONIC. Changed under one lock of the owner's, asked without.
class Backoff {
 public:
  bool allows(uint64_t time_ns) const { return time_ns >= not_before_ns_.load(std::memory_order_relaxed); }
  bool has_begun() const { return not_before_ns_.load(std::memory_order_relaxed) != 0; }

  /// Begins what may have to be given up.
  void engaged(uint64_t time_ns) { engaged_at_ns_ = time_ns; }
  /// Has been given up.
  void begin();
  /// Must not be tried again.
  void begin_for_ever() { not_before_ns_ = UINT64_MAX; }

 private:
  static constexpr uint64_t kFirst_ns = 30'000'000;
  static constexpr uint64_t kLongest_ns = 4'000'000'000;
  static constexpr uint64_t kLasting = 4;  ///< lasted for so many times the last wait: waits begin anew

  std::atomic<uint64_t> not_before_ns_ = 0;
  uint64_t engaged_at_ns_ = 0;
  uint64_t next_ns_ = kFirst_ns;
};

}  // namespace strut
