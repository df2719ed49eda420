// Stops the processes that are followed, for good: all that they bear until they stand still, too.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>

#include "kassist/loader/programs.hpp"
#include "kassist/syscalls/events/followed.hpp"

namespace strut {

/// To be called again and again, with the threads known by then, until is_done().
class Stopping {
 public:
  /// `programs` must outlive this.
  explicit Stopping(const Programs& programs) : programs_(programs) {}

  /// Sends a SIGSTOP to processes that are new. Reads the states of all of them.
  void look(std::span<const FollowedId> threads);
  /// All stopped before that, and so no thread was born since. `told_before_ns`: births before this are known
  /// (CLOCK_MONOTONIC).
  bool is_done(uint64_t reported_before_ns) const { return stood_ns_ != 0 && stood_ns_ < reported_before_ns; }

 private:
  void stop(const FollowedId& thread) const;

  const Programs& programs_;
  std::unordered_set<int32_t> stopped_;  ///< processes
  uint64_t stood_ns_ = 0;                ///< CLOCK_MONOTONIC: since then all are known to stand; 0: they do not
};

}  // namespace strut
