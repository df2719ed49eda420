// Calls that seccomp refuses by ending the caller, five times each, beside a thread that sleeps and one that runs,
// unless "alone" follows: "thread" ends the thread (SECCOMP_RET_KILL_THREAD), "process" the process
// (SECCOMP_RET_KILL_PROCESS), "strict" is SECCOMP_MODE_STRICT. The call is getpgid(1234).
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMES = 5 };

static const char* way;
static volatile int is_running;

static void filter(uint32_t answer) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, answer),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program)) _exit(2);
}

static void* runs(void* unused) {
  (void)unused;
  syscall(SYS_getppid);  // its calls are known
  for (;;) is_running = 1;
  return NULL;
}

static void* sleeps(void* unused) {
  (void)unused;
  return pause(), NULL;
}

static void* calls(void* unused) {
  (void)unused;
  while (!is_running) continue;
  if (strcmp(way, "strict") == 0) prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
  syscall(SYS_getpgid, 1234);
  return NULL;
}

int main(int argc, char** argv) {
  way = argc > 1 ? argv[1] : "thread";
  for (int i = 0; i < TIMES; i++) {
    if (fork() != 0) {
      wait(NULL);
      continue;
    }
    pthread_t running, sleeping, calling;
    if (strcmp(way, "strict") != 0)
      filter(strcmp(way, "thread") == 0 ? SECCOMP_RET_KILL_THREAD : SECCOMP_RET_KILL_PROCESS);
    if (argc > 2) is_running = 1;
    else pthread_create(&running, NULL, runs, NULL);
    pthread_create(&sleeping, NULL, sleeps, NULL);
    pthread_create(&calling, NULL, calls, NULL);
    pthread_join(calling, NULL);
    _exit(0);
  }
  return 0;
}
