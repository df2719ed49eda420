// Calls that seccomp refuses by ending the caller, five times each, beside a thread that sleeps and one that runs,
// unless "alone" follows: "thread" ends the thread (SECCOMP_RET_KILL_THREAD), "process" the process
// (SECCOMP_RET_KILL_PROCESS), "strict" is SECCOMP_MODE_STRICT. The call is getpgid(1234).
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seccomp_answer.h"

enum { TIMES = 5 };

static const char* way;
static volatile int is_running;

static void* runs(void* unused) {
  (void)unused;
  syscall(SYS_getppid);  // the calls are known
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
      answer_call(SYS_getpgid, strcmp(way, "thread") == 0 ? SECCOMP_RET_KILL_THREAD : SECCOMP_RET_KILL_PROCESS,
                  SECCOMP_FILTER_FLAG_TSYNC);
    if (argc > 2) is_running = 1;
    else pthread_create(&running, NULL, runs, NULL);
    pthread_create(&sleeping, NULL, sleeps, NULL);
    pthread_create(&calling, NULL, calls, NULL);
    pthread_join(calling, NULL);
    _exit(0);
  }
  return 0;
}
