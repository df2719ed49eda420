// Calls that seccomp answers: with an error, with a signal, with death, of a process and of a thread.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seccomp_answer.h"

static void trapped(int number) { (void)number; }

static void answered(uint32_t answer) {
  pid_t pid = fork();
  if (pid == 0) {
    signal(SIGSYS, trapped);
    answer_call(SYS_alarm, answer, 0);
    syscall(SYS_alarm, 1234L, 5L);
    syscall(SYS_getppid);
    _exit(3);
  }
  waitpid(pid, NULL, 0);
}

static void* denied_thread(void* unused) {
  answer_call(SYS_alarm, SECCOMP_RET_KILL_THREAD, 0);
  syscall(SYS_alarm, 1234L, 5L);
  return unused;
}

static void thread_killed(void) {
  pid_t pid = fork();
  if (pid == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, denied_thread, NULL);
    pthread_join(thread, NULL);
    usleep(50000); /* the thread's waiter gets the process's status, once it has one */
    _exit(4);
  }
  waitpid(pid, NULL, 0);
}

/* In strict mode the kernel kills with SIGKILL. */
static void strictly_killed(void) {
  pid_t pid = fork();
  if (pid == 0) {
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
    syscall(SYS_alarm, 1234L, 5L);
  }
  waitpid(pid, NULL, 0);
}

int main(void) {
  answered(SECCOMP_RET_ERRNO | EXDEV);
  answered(SECCOMP_RET_ERRNO);
  answered(SECCOMP_RET_TRAP | 7);
  answered(SECCOMP_RET_TRACE | 7);
  answered(SECCOMP_RET_LOG);
  answered(SECCOMP_RET_KILL_PROCESS);
  thread_killed();
  strictly_killed();
  return 0;
}
