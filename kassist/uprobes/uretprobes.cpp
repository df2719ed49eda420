#include "kassist/uprobes/uretprobes.hpp"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

namespace strut {

namespace {

constexpr int kFilteredError = 77;

/// In a child: a filter answers the call, or the kernel takes it for one that no trampoline made, which is SIGILL.
[[noreturn]] void ask_with_filter() {
  sock_filter instructions[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kUretprobe, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | kFilteredError),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program{sizeof instructions / sizeof *instructions, instructions};
  rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(SIGILL, SIG_DFL);
  bool has_filter =
      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
  if (!has_filter) ::_exit(1);
  ::syscall(kUretprobe);
  ::_exit(errno == ENOSYS ? 0 : 1);
}

/// A kernel without the call leaves functions by a breakpoint, which no filter sees.
[[noreturn]] void ask() {
  rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(SIGILL, SIG_DFL);
  ::syscall(kUretprobe);
  ::_exit(errno == ENOSYS ? 0 : 1);
}

int status_of(void (*child)()) {
  pid_t pid = ::fork();
  if (pid == 0) child();
  int status = 1;
  if (pid < 0) return status;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

bool uretprobes_are_harmless() {
  int filtered = status_of(ask_with_filter);
  if (WIFSIGNALED(filtered)) return WTERMSIG(filtered) == SIGILL;
  int plain = status_of(ask);
  return WIFEXITED(plain) && WEXITSTATUS(plain) == 0;
}

// Documented nowhere: before 6.10 links let through the one thread that has the id, and events only ever do.
bool process_filters_work(UprobeMechanism mechanism) {
  utsname name{};
  int major = 0, minor = 0;
  if (mechanism != UprobeMechanism::Multi || ::uname(&name) != 0) return false;
  if (std::sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
  return major > 6 || (major == 6 && minor >= 10);
}

}  // namespace strut
