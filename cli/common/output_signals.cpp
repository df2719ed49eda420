#include "cli/common/output_signals.hpp"

#include <csignal>
#include <initializer_list>

#include <unistd.h>

namespace strut {
namespace {

/// For a process's own write the kernel names that process as the sender.
void end_unless_own(int signal, siginfo_t* info, void*) {
  if (info->si_code == SI_USER && info->si_pid == ::getpid()) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

}  // namespace

void survive_unwritable_output() {
  for (int signal : {SIGPIPE, SIGXFSZ}) {
    struct sigaction action{};
    if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_sigaction = end_unless_own;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace strut
