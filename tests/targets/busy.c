// Sixteen threads that call functions all the time and check the results, under signals, until SIGTERM comes: then
// "calls N" of work(), and "wrong N" for errors. With an argument: each thread makes this many rounds of 50 calls and
// ends.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
enum { kThreads = 16, kCallsARound = 50 };

static volatile sig_atomic_t ends, handled;
static long calls, wrong, rounds;

// Keeps its sums below the stack pointer, where only frames of signal handlers must not write (System V ABI for x86-64,
// 3.2.2, "red zone").
APART long leaf(long x) {
  long result;
  __asm__ volatile(
      "movq %1, -8(%%rsp)\n\t"
      "movq %1, -128(%%rsp)\n\t"
      "addq $5, -8(%%rsp)\n\t"
      "nop\n\t"
      "shlq $1, -128(%%rsp)\n\t"
      "movq -8(%%rsp), %0\n\t"
      "addq -128(%%rsp), %0\n\t"
      : "=&r"(result)
      : "r"(x)
      : "memory", "cc");
  return result;
}

APART long work(long x) {
  long piece[4];
  for (int i = 0; i < 4; i++) piece[i] = x + i;
  __asm__ volatile("" : : "r"(piece) : "memory");
  return piece[0] + piece[3];
}

APART double half(double x) {
  __asm__ volatile("" : "+x"(x));
  return x / 2;
}

static void *run(void *unused) {
  (void)unused;
  long n = 0, bad = 0;
  for (long round = 0; rounds ? round < rounds : !ends; round++) {
    for (int i = 0; i < kCallsARound; i++, n++) {
      bad += work(n) != 2 * n + 3;
      bad += leaf(n) != 3 * n + 5;
      bad += half((double)n) != (double)n / 2;
      char *p = malloc(30 + n % 7);
      memset(p, 7, 30);
      bad += p[29] != 7;
      free(p);
    }
    if (!rounds) usleep(500);
  }
  __atomic_add_fetch(&calls, n, __ATOMIC_RELAXED);
  __atomic_add_fetch(&wrong, bad, __ATOMIC_RELAXED);
  return NULL;
}

static void end(int signal) { ends = signal; }
static void tick(int signal) { handled += leaf(signal) != 3 * signal + 5 ? 1000000 : 1; }

int main(int argc, char **argv) {
  rounds = argc > 1 ? atol(argv[1]) : 0;
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  struct itimerval every = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &every, NULL);
  pthread_t threads[kThreads - 1];
  for (int i = 0; i < kThreads - 1; i++)
    if (pthread_create(&threads[i], NULL, run, NULL) != 0) return 2;
  if (!rounds) puts("ready");
  fflush(stdout);
  run(NULL);
  for (int i = 0; i < kThreads - 1; i++) pthread_join(threads[i], NULL);
  if (handled >= 1000000) wrong++;
  printf("calls %ld\nwrong %ld\n", calls, wrong);
  return wrong != 0;
}
