// Prints the inherited state that a process can see: CPUs, scheduling, signals, descriptors.
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void) {
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  for (int i = 0; i < 2000; i++) getppid();  // time for a tracer to act
  printf("cpus %d policy %d nice %d\n", CPU_COUNT(&cpus), sched_getscheduler(0), getpriority(PRIO_PROCESS, 0));
  sigset_t blocked, pending;
  sigprocmask(SIG_SETMASK, NULL, &blocked);
  sigpending(&pending);
  for (int i = 1; i < 65; i++) {
    struct sigaction action;
    if (sigaction(i, NULL, &action)) continue;
    if (action.sa_handler == SIG_IGN || sigismember(&blocked, i) || sigismember(&pending, i))
      printf("signal %d ignored %d blocked %d pending %d\n", i, action.sa_handler == SIG_IGN, sigismember(&blocked, i),
             sigismember(&pending, i));
  }
  for (int fd = 0; fd < 64; fd++) {
    char link[64], target[256];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, target, sizeof target);
    if (length > 0) printf("fd %d %.*s\n", fd, (int)length, target);
  }
  printf("dumpable %d no_new_privs %d \n", prctl(PR_GET_DUMPABLE), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  return 0;
}
