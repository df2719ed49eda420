#include "kassist/syscalls/stopping.hpp"

#include <algorithm>
#include <csignal>
#include <string_view>

#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"

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

/// Never another process that got the id since its exit, which is not reported yet.
void Stopping::stop(const FollowedId& thread) const {
  OwnedFd process(static_cast<int>(::syscall(SYS_pidfd_open, raw(thread.pid), 0)));
  if (!process) return;
  bool is_it = programs_.follows(process, thread.pid);
  if (!is_it && raw(thread.tid) != raw(thread.pid)) {
    auto status = process_status(thread.tid);  // the first thread need not be followed
    is_it = status && status->pid == thread.pid;
  }
  if (is_it) ::syscall(SYS_pidfd_send_signal, process.number(), SIGSTOP, nullptr, 0);
}

void Stopping::look(std::span<const FollowedId> threads) {
  bool any_new = false;
  for (const FollowedId& thread : threads) {
    if (!stopped_.insert(raw(thread.pid)).second) continue;
    any_new = true;
    stop(thread);
  }
  bool all_stand = !any_new && std::ranges::all_of(threads, stands, &FollowedId::tid);
  if (!all_stand) stood_ns_ = 0;
  else if (stood_ns_ == 0) stood_ns_ = monotonic_ns();
}

}  // namespace strut
