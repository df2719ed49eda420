#include "ptrace/engine/stop_source.hpp"

#include <algorithm>

namespace strut {

std::optional<Waited> StopSource::next() {
  poll_.went_on(Tid{});
  polls_ = 0;
  if (!waiting_.empty()) {
    Waited first = waiting_.front();
    waiting_.pop_front();
    return first;
  }
  bool are_asked = served_in_row_ >= fairness_.in_row && (tracees_.size() > 1 || !newborns_.empty());
  std::optional<Waited> waited = are_asked ? next_in_turn() : std::nullopt;
  if (!waited) waited = look_at_next(usage_, WaitScope::Thread);
  if (!waited) return waited;
  bool is_again = waited->tid == last_served_;
  if (are_asked) served_in_row_ = is_again ? 0 : served_in_row_;  // again: no other one stops
  else served_in_row_ = is_again ? served_in_row_ + 1 : 0;
  last_served_ = waited->tid;
  return waited;
}

/// Begins after the last polled one: a stopped tracee is soon found. New ones come last, as the kernel has them.
std::optional<Waited> StopSource::next_in_turn() {
  size_t left = std::min(tracees_.size(), fairness_.asked);
  for (auto at = tracees_.after(turn_); left > 0; left--) {
    turn_ = at->second->tid;
    if (std::optional<Waited> waited = look_at(turn_, usage_)) return waited;
    if (++at == tracees_.end()) at = tracees_.begin();
  }
  size_t asked = 0;
  for (auto& [tid, newborn] : newborns_) {
    if (asked++ == fairness_.asked) break;
    if (std::optional<Waited> waited = look_at(Tid{tid}, usage_)) return waited;
  }
  return std::nullopt;
}

}  // namespace strut
