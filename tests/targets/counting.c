// Functions to be probed, and how often each was called, as the program itself counted: "NAME COUNT" on a line each.
//
//   counting deep N | tail N | threads N | forks N | leap N | values N...: does it, prints, exits
//   counting wait MODE N: says "ready", does it after a line from stdin
//   counting forever: says "ready", calls hot() until it is killed; exits with 3 if a result is wrong
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROBED __attribute__((noinline, noclone))

/* In front of a function's count, which is locked: the kernel puts no uprobe on such an instruction. */
#define BEGINS(argument) __asm__ volatile("mov %0, %0" : "+r"(argument))

static atomic_long counted;
static volatile long sum;
static jmp_buf back;

PROBED long deep(long n) {
  BEGINS(n);
  counted++;
  return n > 0 ? deep(n - 1) + n : 0;
}

PROBED long last_of_three(long n) {
  BEGINS(n);
  counted++;
  return n + sum;
}
PROBED __attribute__((optimize("optimize-sibling-calls"))) long second_of_three(long n) { return last_of_three(n + 1); }
PROBED __attribute__((optimize("optimize-sibling-calls"))) long first_of_three(long n) {
  return second_of_three(n + 1);
}

PROBED long work(long n) {
  BEGINS(n);
  counted++;
  return n ^ (n >> 1);
}

PROBED void leap(long n) {
  BEGINS(n);
  counted++;
  if (n >= 0) longjmp(back, 1);
  sum = n;
}

PROBED long give(long a, long b, const char *c, long d, long e, long f, long g, long h) {
  BEGINS(a);
  counted++;
  return a * 3 + b + c[0] + d + e + f + g + h;
}

PROBED long hot(long n) {
  sum += n;
  return n * n + 7;
}

static void *work_much(void *argument) {
  for (long i = 0; i < (long)argument; i++) sum = work(i);
  return NULL;
}

static void in_threads(long n) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work_much, (void *)n);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
}

// The children's calls are printed, not counted here.
static void in_children(long n) {
  work_much((void *)n);
  for (int i = 0; i < 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      work_much((void *)(2 * n));
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
}

static int forever(void) {
  puts("ready");
  fflush(stdout);
  for (long i = 0;; i = (i + 1) & 0xffff)
    if (hot(i) != i * i + 7) return 3;
}

static void act(char **words) {
  long n = words[1] ? atol(words[1]) : 0;
  if (!strcmp(words[0], "deep")) sum = deep(n - 1);
  if (!strcmp(words[0], "tail"))
    for (long i = 0; i < n; i++) sum = first_of_three(i);
  if (!strcmp(words[0], "threads")) in_threads(n);
  if (!strcmp(words[0], "forks")) in_children(n);
  if (!strcmp(words[0], "leap"))
    for (volatile long i = 0; i < n; i++)
      if (!setjmp(back)) leap(i);
  if (!strcmp(words[0], "values"))
    for (char **word = words + 1; *word; word++) printf("%ld\n", give(atol(*word), -2, *word, 4, 5, 6, 7, 8));
  printf("%s %ld\n", words[0], (long)counted);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  if (!strcmp(argv[1], "forever")) return forever();
  if (!strcmp(argv[1], "wait")) {
    char line[8];
    puts("ready");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) return 2;
    argv++;
  }
  act(argv + 1);
  return 0;
}
