// Calls that seccomp answers: with an error, with a signal, with death, of a process and of a thread.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void deny(uint32_t number, uint32_t answer) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

static void trapped(int number) { (void)number; }

static void answered(uint32_t answer) {
  pid_t pid = fork();
  if (pid == 0) {
    signal(SIGSYS, trapped);
    deny(SYS_alarm, answer);
    syscall(SYS_alarm, 1234L, 5L);
    syscall(SYS_getppid);
    _exit(3);
  }
  waitpid(pid, NULL, 0);
}

static void* denied_thread(void* unused) {
  deny(SYS_alarm, SECCOMP_RET_KILL_THREAD);
  syscall(SYS_alarm, 1234L, 5L);
  return unused;
}

static void thread_killed(void) {
  pid_t pid = fork();
  if (pid == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, denied_thread, NULL);
    pthread_join(thread, NULL);
    usleep(50000); /* who waits for the thread hears of the process's status, once it has one */
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
