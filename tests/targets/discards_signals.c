// Is sent signals that it ignores, blocks, handles or leaves to the kernel; prints "discarded" and the numbers of those
// that the kernel is to throw away when they are sent. With an argument it prints "ready" and its process number, waits
// for a line, and ends.
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(int signal) { (void)signal; }
static void discarded(int signal) { printf("discarded %d\n", signal); }

static void set_blocked(int how, int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  sigprocmask(how, &set, 0);
}

int main(int count, char** words) {
  (void)words;
  setvbuf(stdout, 0, _IONBF, 0);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGUSR2, nothing);
  signal(SIGRTMIN + 3, SIG_IGN);
  if (count > 1) {
    char line[8];
    printf("ready %d\n", (int)getpid());
    return fgets(line, sizeof line, stdin) ? 0 : 2;
  }
  discarded(SIGUSR1), kill(getpid(), SIGUSR1);
  discarded(SIGUSR1), syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1);
  discarded(SIGRTMIN + 3), kill(getpid(), SIGRTMIN + 3);
  discarded(SIGURG), kill(getpid(), SIGURG);
  discarded(SIGWINCH), kill(getpid(), SIGWINCH);
  discarded(SIGCONT), kill(getpid(), SIGCONT);
  kill(getpid(), SIGUSR2);
  set_blocked(SIG_BLOCK, SIGUSR1);
  kill(getpid(), SIGUSR1);
  set_blocked(SIG_UNBLOCK, SIGUSR1);
  signal(SIGURG, nothing);
  kill(getpid(), SIGURG);
  pid_t child = fork();
  if (child == 0) pause();
  discarded(SIGUSR1), kill(child, SIGUSR1);
  kill(child, SIGKILL);
  waitpid(child, 0, 0);
  return 0;
}
