#include "kassist/syscalls/leaving.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"

namespace strut {

namespace {

constexpr uint64_t kEnding_ns = 1'000'000'000;  ///< no thread takes longer to end

}  // namespace

bool lives(Tid tid) {
  auto status = process_status(tid);
  return status && status->state != 'Z' && status->state != 'X';
}

/// A thread that executes a program takes its leader's id: between the look at the ids and that at the threads it is to
/// be found by neither, but by the next one.
bool has_living(Pid pid) {
  constexpr int kLooks = 2;
  for (int look = 0; look < kLooks; look++) {
    auto threads = threads_of(pid);
    if (threads && std::ranges::any_of(*threads, [](Tid tid) { return lives(tid); })) return true;
  }
  return false;
}

void Leaving::begins(Pid pid) { since_ns_[pid] = monotonic_ns(); }

std::vector<Pid> Leaving::gone() {
  std::vector<Pid> gone;
  for (auto at = since_ns_.begin(); at != since_ns_.end();) {
    auto [pid, since_ns] = *at;
    bool is_gone = !has_living(pid);
    if (is_gone) gone.push_back(pid);
    at = is_gone || monotonic_ns() - since_ns > kEnding_ns ? since_ns_.erase(at) : std::next(at);
  }
  return gone;
}

}  // namespace strut
