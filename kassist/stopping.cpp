#include "kassist/stopping.hpp"

#include <algorithm>
#include <csignal>
#include <string_view>

#include "core/clock.hpp"
#include "core/proc/process_status.hpp"

namespace strut {

namespace {

/// Stopped, held by a tracer, dead, or in a sleep that a signal does not end and behind which it stops: proc(5)'s
/// letters.
bool stands(Tid tid) {
  constexpr std::string_view kStanding = "TtZXD";
  auto status = process_status(tid);
  return !status || kStanding.contains(status->state);
}

}  // namespace

void Stopping::look(std::span<const FollowedId> threads) {
  bool anybody_new = false;
  for (const FollowedId& thread : threads) {
    if (!stopped_.insert(raw(thread.pid)).second) continue;
    anybody_new = true;
    ::kill(raw(thread.pid), SIGSTOP);
  }
  bool all_stand = !anybody_new && std::ranges::all_of(threads, stands, &FollowedId::tid);
  if (!all_stand) stood_ns_ = 0;
  else if (stood_ns_ == 0) stood_ns_ = monotonic_ns();
}

}  // namespace strut
