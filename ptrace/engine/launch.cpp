#include "ptrace/engine/launch.hpp"

#include <csignal>

#include <sys/syscall.h>
#include <unistd.h>

#include "ptrace/engine/seccomp_filter.hpp"
#include "ptrace/requests/control.hpp"
#include "trace/held_command.hpp"

namespace strut {

namespace {

/// Stops for the tracer; the signal's si_code shows whether the filter is in force.
void announce(const std::vector<sock_filter>& filter) {
  pid_t self = ::getpid();
  if (!filter.empty() && install_seccomp(filter)) ::syscall(SYS_tgkill, self, self, SIGSTOP);
  else ::kill(self, SIGSTOP);
}

}  // namespace

Result<Launched> launch(const TraceRequest& request, unsigned seize_options, const std::vector<sock_filter>& filter) {
  HeldCommand command = TRY(HeldCommand::fork(request, [&] { announce(filter); }));
  if (int error = seize(leader_of(command.pid()), seize_options))
    return fail({error, "ptrace(PTRACE_SEIZE)", std::to_string(raw(command.pid())), {}, {}});
  command.release();
  return Launched{command.pid(), command.is_child()};
}

}  // namespace strut
