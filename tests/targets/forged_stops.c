// Sends itself signals with a syscall-stop's si_code (SIGTRAP | 0x80), with a system call after each of them. Exits
// with 0 if all of them were caught.
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kSignals = 50 };
static volatile int caught;

static void count(int signal) {
  (void)signal;
  caught++;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = count;
  sigaction(SIGTRAP, &action, 0);
  for (int i = 0; i < kSignals; i++) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = SIGTRAP;
    info.si_code = SIGTRAP | 0x80;
    syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), SIGTRAP, &info);
    syscall(SYS_getppid);
  }
  return caught != kSignals;
}
