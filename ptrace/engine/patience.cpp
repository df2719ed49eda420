#include "ptrace/engine/patience.hpp"

namespace strut {

namespace {

constexpr uint64_t kShort_ns = 1'000'000'000;
constexpr uint64_t kLong_ns = 30'000'000'000;  ///< for threads that are frozen, or never get a CPU

/// In an uninterruptible sleep, or no more.
constexpr std::string_view kNeverStop{"DZX\0", 4};

}  // namespace

bool is_patience_over(uint64_t quiet_ns, std::string_view states) {
  if (quiet_ns < kShort_ns) return false;
  return quiet_ns >= kLong_ns || states.find_first_not_of(kNeverStop) == std::string_view::npos;
}

}  // namespace strut
