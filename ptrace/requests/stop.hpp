// The meanings of a tracee's wait status: the kernel's encodings as types.
#pragma once

#include <variant>

namespace strut {

/// The thread has exited (status 0..255).
struct ExitStop {
  int status;
};
/// A signal ended the thread.
struct KilledStop {
  int signal;
  bool core_dumped;
};
/// Syscall-enter-stop or syscall-exit-stop (PTRACE_O_TRACESYSGOOD).
struct SyscallStop {};
/// Job control stopped the process: PTRACE_EVENT_STOP with a stopping signal.
struct GroupStop {
  int signal;
};
/// PTRACE_EVENT_STOP without one: PTRACE_INTERRUPT, a new child's first stop, the end of a group-stop.
struct TrapStop {};
/// Another PTRACE_EVENT_ (fork, exec, seccomp …).
struct EventStop {
  int event;
};
/// A signal is about to be delivered.
struct SignalStop {
  int signal;
};

using Stop = std::variant<ExitStop, KilledStop, SyscallStop, GroupStop, TrapStop, EventStop, SignalStop>;

/// ptrace(2), "Stopped states", for a tracee seized with PTRACE_O_TRACESYSGOOD.
Stop classify(int wait_status);

/// Another thread of the tracee's process has executed a program and has its id now. As long as that stop is not taken
/// the tracee answers no request (Linux 5.13), so that nothing is written to it.
bool is_of_another_thread(const Stop& stop);

/// The signal that a tracee which is restarted or detached there is to get: 0 but in a SignalStop.
int pending_signal(const Stop& stop);

}  // namespace strut
