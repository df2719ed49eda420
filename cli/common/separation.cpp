#include "cli/common/separation.hpp"

#include <csignal>
#include <memory>

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kassist/uprobes/uprobe_ledger.hpp"
#include "ptrace/guardian/guardian.hpp"

namespace strut {
namespace {

/// Signals that a tracer raises itself only where it has a bug; SIGKILL it never raises.
bool is_violent(int signal) {
  for (int violent : {SIGKILL, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGSYS})
    if (signal == violent) return true;
  return false;
}

void say_how_it_ended(int status, bool was_guarded, Messages& messages) {
  if (!WIFSIGNALED(status) || !is_violent(WTERMSIG(status)) || TracerProcess::ended_by_itself()) return;
  messages.say("the tracer process was killed by SIG" + std::string(::sigabbrev_np(WTERMSIG(status))) +
               (was_guarded ? "; the traced processes run on, untraced"
                            : "; traced processes that had breakpoints may die, for it had no guardian process"));
}

std::function<void(int)> guard_both(Pid tracer, Messages& messages) {
  TracerEnd end{UprobeLedger::keep_links, UprobeLedger::close_kept, UprobeLedger::mend};
  std::shared_ptr<Guardian> guardian = Guardian::start(Pid{::getpid()}, tracer, end);
  // From here on the front process and the tracer do not exit before their changes are undone.
  if (guardian) guardian->await_hold();
  return [guardian, tracer, &messages](int status) {
    UprobeLedger::mend(tracer);
    say_how_it_ended(status, guardian && guardian->holds(), messages);
  };
}

}  // namespace

Result<void> separate_tracer(TracerProcess::Launches launches, Messages& messages) {
  UprobeLedger::open();
  Guardian::share();
  return TracerProcess::separate(launches, [&messages](Pid tracer) { return guard_both(tracer, messages); });
}

}  // namespace strut
