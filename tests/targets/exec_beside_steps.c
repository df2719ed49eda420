// Threads run an instruction that a tracer without out-of-line memory must step over, while one of them execs this
// program again. Usage: exec_beside_steps TIMES. The first thread blocks SIGUSR1, the execing one does not: nor does
// the program then. The last one prints "well".
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { THREADS = 3 };

static char left[16];

/// Plain code that is not emulated.
__attribute__((naked, noinline)) void stepped(void) { __asm__("paddd %xmm0, %xmm0\n ret"); }

static void* step(void* unused) {
  for (;;) stepped();
  return unused;
}

static void* execute(void* program) {
  char* words[] = {program, left, NULL};
  for (int i = 0; i < 4; i++) stepped();
  execv(program, words);
  return NULL;
}

/// A filter that permits all calls: whatever is injected might be refused by it.
static void filter_calls(void) {
  struct sock_filter allow = {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  struct sock_fprog program = {1, &allow};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    _exit(8);
}

int main(int count, char** words) {
  sigset_t mask, blocked;
  int times = count > 1 ? atoi(words[1]) : 0;
  sigprocmask(SIG_SETMASK, NULL, &mask);
  if (sigismember(&mask, SIGUSR1)) return puts("wrong"), 1;
  if (times == 0) return puts("well"), 0;
  snprintf(left, sizeof left, "%d", times - 1);
  filter_calls();
  pthread_t all[THREADS];
  for (int i = 0; i < THREADS; i++) pthread_create(&all[i], NULL, i < THREADS - 1 ? step : execute, words[0]);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, NULL);
  step(NULL);
}
