#include "ptrace/patience.hpp"

namespace strut {

namespace {

constexpr uint64_t kShort_ns = 1'000'000'000;
constexpr uint64_t kLong_ns = 30'000'000'000;  ///< of who is frozen, or never gets a CPU

/// In an uninterruptible sleep, or no more.
constexpr std::string_view kNeverStop{"DZX\0", 4};

}  // namespace

bool is_patience_over(uint64_t waited_ns, std::string_view states) {
  if (waited_ns < kShort_ns) return false;
  return waited_ns >= kLong_ns || states.find_first_not_of(kNeverStop) == std::string_view::npos;
}

}  // namespace strut
