// The line on a terminal that says how far arming has come.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace strut {

/// Arming that takes more than a second is shown on one line, written over as it goes on and erased at its end. It is
/// for terminals alone: in a log it would be noise.
class ArmingProgress {
 public:
  /// The line to write at this time (CLOCK_MONOTONIC); nullopt: none, or the last one is too recent.
  std::optional<std::string> at(uint64_t now_ns, uint64_t done, uint64_t wanted);
  /// Arming has ended. The text that erases the line; nullopt: no line was written.
  std::optional<std::string> over();

 private:
  uint64_t began_ns_ = 0, next_ns_ = 0;
  bool is_shown_ = false;
};

}  // namespace strut
