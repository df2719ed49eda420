// Threads that block SIGTRAP, with other signals and without, call plain() and look whether they block it still. Usage:
// blocked_traps SECONDS. Prints "ready", and at the end "well" or "wrong".
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, CALLS = 20 };

static volatile long calls;
static volatile int is_wrong, ends;

__attribute__((noinline)) void plain(void) { __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED); }

static sigset_t mask_of(int kind) {
  sigset_t mask;
  sigemptyset(&mask);
  if (kind == 0) sigfillset(&mask);
  if (kind == 1) sigaddset(&mask, SIGUSR1);
  sigaddset(&mask, SIGTRAP);
  return mask;
}

static void* work(void* kind) {
  sigset_t mine = mask_of(*(int*)kind), now, before;
  while (!ends) {
    pthread_sigmask(SIG_SETMASK, &mine, &before);
    for (int i = 0; i < CALLS; i++) plain();
    pthread_sigmask(SIG_SETMASK, &before, &now);
    if (sigismember(&now, SIGTRAP) != 1 || sigismember(&now, SIGUSR1) != sigismember(&mine, SIGUSR1)) is_wrong = 1;
    plain();
    pthread_sigmask(SIG_SETMASK, NULL, &now);
    if (sigismember(&now, SIGTRAP) != 0) is_wrong = 2;
  }
  return NULL;
}

int main(int count, char** words) {
  pthread_t all[THREADS];
  int kinds[THREADS];
  for (int i = 0; i < THREADS; i++) {
    kinds[i] = i % 3;
    pthread_create(&all[i], NULL, work, &kinds[i]);
  }
  puts("ready");
  fflush(stdout);
  struct timespec rest = {count > 1 ? atoi(words[1]) : 1, 0};
  nanosleep(&rest, NULL);
  ends = 1;
  for (int i = 0; i < THREADS; i++) pthread_join(all[i], NULL);
  printf("%s %d, %ld calls\n", is_wrong ? "wrong" : "well", is_wrong, calls);
  return is_wrong != 0;
}
