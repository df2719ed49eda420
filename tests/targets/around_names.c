// Names of threads and processes, and pids in a namespace of their own, as -Y and --decode-pids=pidns show them.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void nothing(int number) { (void)number; }

static void* named_thread(void* unused) {
  (void)unused;
  prctl(PR_SET_NAME, "a thread");
  syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), 0);
  return NULL;
}

/// In a pid namespace of its own, if that is permitted.
static void in_namespace(void) {
  if (unshare(CLONE_NEWPID) != 0) return;
  pid_t first = fork();
  if (first == 0) {
    prctl(PR_SET_NAME, "first");
    pid_t child = fork();
    if (child == 0) {
      kill(getppid(), 0);
      _exit(0);
    }
    kill(child, 0);
    waitpid(child, NULL, 0);
    kill(12345, 0);
    getpgid(0);
    _exit(0);
  }
  waitpid(first, NULL, 0);
}

int main(void) {
  signal(SIGUSR1, nothing);
  prctl(PR_SET_NAME, "main <name>");
  pthread_t thread;
  pthread_create(&thread, NULL, named_thread, NULL);
  pthread_join(thread, NULL);
  kill(getpid(), SIGUSR1);
  int ready[2];
  char byte = 0;
  pipe(ready);
  sigset_t awaited;
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGUSR2);
  sigprocmask(SIG_BLOCK, &awaited, NULL);
  pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_NAME, "child");
    write(ready[1], &byte, 1);
    sigwaitinfo(&awaited, NULL);
    _exit(1);
  }
  read(ready[0], &byte, 1);
  kill(child, SIGUSR2);
  waitpid(child, NULL, 0);
  child = fork();
  if (child == 0) _exit(3);
  siginfo_t info;
  waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT);
  waitpid(child, NULL, 0);
  kill(child, 0);
  setpgid(0, 0);
  sched_getscheduler(1);
  in_namespace();
  return 0;
}
