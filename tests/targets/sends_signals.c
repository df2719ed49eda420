// Sends signals by every call that sends one, and waits for one; prints "sent" and the numbers of those that the call
// was to send, and "cleared" and that of the one it waited for.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#define SYS_pidfd_send_signal 424
#endif

static void sent(int signal) { printf("sent %d\n", signal); }
static void nothing(int signal) { (void)signal; }

int main(void) {
  setvbuf(stdout, 0, _IONBF, 0);
  struct sigaction action = {.sa_handler = nothing};
  for (int number = SIGRTMIN; number < SIGRTMIN + 8; number++) sigaction(number, &action, 0);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  sigprocmask(SIG_BLOCK, &set, 0);
  sent(SIGUSR2), kill(getpid(), SIGUSR2);
  printf("cleared %d\n", sigwaitinfo(&set, 0));
  kill(getpid(), 0);
  kill(0x7ffffff0, SIGKILL);
  sent(SIGRTMIN), kill(getpid(), SIGRTMIN);
  sent(SIGRTMIN + 1), syscall(SYS_tkill, getpid(), SIGRTMIN + 1);
  sent(SIGRTMIN + 2), syscall(SYS_tgkill, getpid(), getpid(), SIGRTMIN + 2);
  siginfo_t info;
  memset(&info, 0, sizeof info);
  info.si_code = SI_QUEUE;
  info.si_pid = getpid();
  sent(SIGRTMIN + 3), syscall(SYS_rt_sigqueueinfo, getpid(), SIGRTMIN + 3, &info);
  sent(SIGRTMIN + 4), syscall(SYS_rt_tgsigqueueinfo, getpid(), getpid(), SIGRTMIN + 4, &info);
  setpgid(0, 0);
  sent(SIGRTMIN + 5), kill(0, SIGRTMIN + 5);
  sent(SIGRTMIN + 6), kill(-getpgrp(), SIGRTMIN + 6);
  int self = syscall(SYS_pidfd_open, getpid(), 0);
  if (self >= 0) sent(SIGRTMIN + 7), syscall(SYS_pidfd_send_signal, self, SIGRTMIN + 7, 0, 0);
  pid_t child = fork();
  if (child == 0) pause();
  sent(SIGTERM), kill(child, SIGTERM);
  while (waitpid(child, 0, 0) < 0 && errno == EINTR) {
  }
  return 0;
}
