#include "ptrace/engine/patience.hpp"

#include <linux/ptrace.h>

#include "procfs/process_status.hpp"

namespace strut {

namespace {

constexpr uint64_t kShort_ns = 1'000'000'000;
constexpr uint64_t kVfork_ns = 20'000'000;
constexpr uint64_t kLong_ns = 30'000'000'000;  ///< for threads that are frozen, or never get a CPU

/// In an uninterruptible sleep, or no more.
constexpr std::string_view kNeverStop{"DZXv\0", 5};
constexpr std::string_view kVforkOrDead{"ZXv\0", 4};

}  // namespace

bool is_patience_over(uint64_t quiet_ns, std::string_view states) {
  bool is_vfork = states.contains(kWaitsForVfork) && states.find_first_not_of(kVforkOrDead) == std::string_view::npos;
  if (is_vfork && quiet_ns >= kVfork_ns) return true;
  if (quiet_ns < kShort_ns) return false;
  return quiet_ns >= kLong_ns || states.find_first_not_of(kNeverStop) == std::string_view::npos;
}

void note_vfork(ProbedThread& thread, const Stop& stop) {
  auto* event = std::get_if<EventStop>(&stop);
  thread.made_vfork = event && event->event == PTRACE_EVENT_VFORK;
}

char running_state(const ProbedThread& thread) {
  char state = state_of(thread.tid);
  return state == 'D' && thread.made_vfork ? kWaitsForVfork : state;
}

}  // namespace strut
