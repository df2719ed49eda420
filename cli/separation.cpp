#include "cli/separation.hpp"

#include <memory>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kassist/uprobe_ledger.hpp"
#include "ptrace/guardian.hpp"

namespace strut {
namespace {

constexpr int kMostLooks = 5000;
constexpr useconds_t kLookEvery_us = 50;

/// Ends the tracer; in the guardian, with system calls only. A tracer that hangs must not keep what was killed for
/// ever, but on a busy machine one takes half a minute to take ten thousand uprobes out.
void end_tracer(const Pid& tracer) {
  constexpr int kPatience_ms = 60'000;
  int process = static_cast<int>(::syscall(SYS_pidfd_open, raw(tracer), 0));
  if (process < 0) return;
  TracerProcess::tell_orphaned(process);
  pollfd end{process, POLLIN, 0};
  bool has_ended = ::poll(&end, 1, kPatience_ms) > 0;
  ::close(process);
  if (has_ended) UprobeLedger::mend(tracer);
}

std::function<void()> hold_death(Pid tracer) {
  std::shared_ptr<Guardian> guardian = Guardian::start(Tid{::getpid()});
  if (!guardian) return [tracer] { UprobeLedger::mend(tracer); };
  guardian->record(0).arm<end_tracer>(tracer);
  // From then on nobody's death comes before the tracer's last word.
  for (int look = 0; look < kMostLooks && !guardian->holds() && guardian->alive(); look++) ::usleep(kLookEvery_us);
  return [guardian, tracer] {
    UprobeLedger::mend(tracer);
    guardian->record(0).disarm();
  };
}

}  // namespace

Result<void> separate_tracer(TracerProcess::Launches launches) {
  UprobeLedger::open();
  return TracerProcess::separate(launches, hold_death);
}

}  // namespace strut
