// argv[1] threads that nap again and again until SIGTERM. A thread that goes on behind the return of `nap` ends the
// process by SIGABRT. Says where `nap` is first, and at the end that nothing was wrong.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STACK_BYTES = 64 * 1024, NAP_us = 100 * 1000 };

static volatile sig_atomic_t ends;
static void end(int signal) { ends = signal; }

__attribute__((used)) static void sleep_once(void) { usleep(NAP_us); }

void nap(void);
__asm__(
    ".pushsection .text\n.globl nap\n.type nap, @function\n"
    "nap: sub $8, %rsp\n call sleep_once\n add $8, %rsp\n ret\n call abort\n"
    ".size nap, . - nap\n.popsection\n");

static void* naps(void* unused) {
  while (!ends) nap();
  return unused;
}

int main(int argc, char** argv) {
  int wanted = argc > 1 ? atoi(argv[1]) : 10;
  pthread_t* threads = calloc((size_t)wanted, sizeof *threads);
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK_BYTES);
  signal(SIGTERM, end);
  for (int i = 0; i < wanted; i++)
    if (pthread_create(&threads[i], &small, naps, NULL) != 0) return 2;
  printf("nap %p\n", (void*)nap);
  fflush(stdout);
  for (int i = 0; i < wanted; i++) pthread_join(threads[i], NULL);
  puts("wrong 0");
  return 0;
}
