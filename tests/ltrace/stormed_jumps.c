// A library calls a function of the program that jumps into the library, under frequent signals with a handler that
// makes it do the same. Counts its calls.
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>

#include "called.h"

enum { kTimes = 1500, kSignals = 300 };

static long jumped, called;
static int signals;

__attribute__((noipa)) static int jumps(int argument) {
  __atomic_fetch_add(&jumped, 1, __ATOMIC_RELAXED);
  return tail_of(argument);
}

static int calls(int argument) {
  __atomic_fetch_add(&called, 1, __ATOMIC_RELAXED);
  return twice(jumps, argument);
}

static void handler(int number) {
  (void)number;
  calls(signals);
  if (++signals == kSignals) setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
}

int main(void) {
  signal(SIGALRM, handler);
  setitimer(ITIMER_REAL, &(struct itimerval){{0, 300}, {0, 300}}, NULL);
  long sum = 0;
  for (int i = 0; i < kTimes; i++) sum += calls(i);
  setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
  printf("tail_of %ld\ntwice %ld\nsum %ld\n", jumped, called, sum);
  return sum == 4L * kTimes * (kTimes - 1) / 2 ? 7 : 1;
}
