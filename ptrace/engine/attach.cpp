#include "ptrace/engine/attach.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include <unistd.h>

#include "base/clock.hpp"
#include "procfs/process_status.hpp"
#include "procfs/refusals.hpp"
#include "ptrace/engine/patience.hpp"
#include "ptrace/requests/control.hpp"

namespace strut {

namespace {

constexpr int kMaxLooks = 1000;  // a process that makes threads faster than they can be seized is taken as it is

/// Why PTRACE_SEIZE was not permitted, where /proc knows; empty: it does not.
std::string reason(Pid pid) {
  std::string process = process_name(pid);
  auto status = process_status(leader_of(pid));
  if (!status) return {};
  if (status->kernel_thread) return kernel_thread_refusal(pid);
  if (status->state == 'Z' && status->threads <= 1) return ended_refusal(pid);
  if (status->tracer != 0) return process + " is already being traced by pid " + std::to_string(status->tracer);
  return permission_refusal(pid);
}

void complain(Attached& attached, Pid pid, int error) {
  attached.complaints.push_back("attach: ptrace(PTRACE_SEIZE, " + std::to_string(raw(pid)) + "): " + strerror(error));
  if (error != EPERM) return;
  if (std::string why = reason(pid); !why.empty()) attached.complaints.push_back(std::move(why));
}

bool seize_and_stop(Tid tid, unsigned options, Attached& attached) {
  int error = seize(tid, options);
  auto status = error == EPERM ? process_status(tid) : Result<ProcessStatus>(std::unexpect);
  // A process made meanwhile by a seized one is a tracee already; an exiting one cannot be seized, and need not be.
  if (status && status->tracer != ::gettid() && status->tracer != ::getpid() && status->state != 'Z' &&
      status->state != 'X')
    attached.lacking = "thread " + std::to_string(raw(tid)) + " of process " + std::to_string(raw(status->pid)) +
                       (status->tracer != 0 ? " is traced by pid " + std::to_string(status->tracer)
                                            : std::string(" may not be traced"));
  if (error != 0) return false;
  interrupt(tid);
  attached.threads.push_back(tid);
  return true;
}

bool stands(char state) { return std::string_view("tTZX\0", 5).contains(state); }

}  // namespace

void await_stops(std::span<const Tid> threads) {
  constexpr uint64_t kMost_ns = 5'000'000'000;
  constexpr useconds_t kLookEvery_us = 200;
  std::vector<Tid> awaited(threads.begin(), threads.end());
  for (uint64_t last_stop_ns = monotonic_ns(); !awaited.empty(); ::usleep(kLookEvery_us)) {
    std::string running;
    size_t stopped = std::erase_if(awaited, [&](Tid tid) {
      char state = state_of(tid);
      if (!stands(state)) running += state;
      return stands(state);
    });
    if (stopped != 0) last_stop_ns = monotonic_ns();
    uint64_t quiet_ns = monotonic_ns() - last_stop_ns;
    if (quiet_ns >= kMost_ns || is_patience_over(quiet_ns, running)) return;
  }
}

Attached attach(Pid pid, AttachTo extent, unsigned seize_options) {
  Attached attached;
  if (int error = seize(leader_of(pid), seize_options)) {
    complain(attached, pid, error);
    return attached;
  }
  interrupt(leader_of(pid));
  attached.threads.push_back(leader_of(pid));
  if (extent == AttachTo::Thread) return attached;
  std::set<Tid> seen{leader_of(pid)};
  bool news = true;
  for (int look = 0; news && look < kMaxLooks; look++) {
    news = false;
    auto threads = threads_of(pid);
    if (!threads) break;
    for (Tid tid : *threads)
      if (seen.insert(tid).second) news |= seize_and_stop(tid, seize_options, attached);
  }
  return attached;
}

Error lacks_threads(Pid pid, std::string lacking) {
  return {0, "attach", std::to_string(raw(pid)), std::move(lacking), "Breakpoints would kill it"};
}

Tid living_thread(std::span<const Tid> threads) {
  auto found = std::ranges::find_if(threads, [](Tid tid) { return state_of(tid) != 'Z'; });
  return found == threads.end() ? threads.front() : *found;
}

}  // namespace strut
