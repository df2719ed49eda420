// dtraced TURNS [wait]: calls functions that keep count of themselves, in this process, a thread and a child, and
// prints the counts. With "wait" it says "ready" first and goes on when it has read a line.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KEPT __attribute__((noinline, noclone))

static struct {
  long leaf, deep, tail, jumper, threaded;
} counts;
static jmp_buf back;
static volatile long kept;

// The kernel takes no uprobe on an instruction with a lock prefix: the first one has none.
KEPT long leaf(long x) {
  kept = x;
  __atomic_add_fetch(&counts.leaf, 1, __ATOMIC_RELAXED);
  return 3 * x;
}
KEPT long deep(long n) {
  counts.deep++;
  long below = n > 0 ? deep(n - 1) : 0;
  kept = below;
  return below + 1;
}
__attribute__((noinline, noclone, optimize("O2"))) long tail(long x) {
  counts.tail++;
  return leaf(x + 1);
}
KEPT void jumper(int value) {
  counts.jumper++;
  longjmp(back, value);
}
KEPT const char *name_of(const char *name) {
  kept += name[0];
  return name;
}
static void *threaded(void *turns) {
  for (long i = 0; i < (long)turns; i++) leaf(i);
  return 0;
}

int main(int argc, char **argv) {
  long turns = atol(argv[1]), sum = 0;
  char line[16];
  if (argc > 2) {
    puts("ready");
    fflush(stdout);
    if (!fgets(line, sizeof line, stdin)) return 2;
  }
  pthread_t thread;
  pthread_create(&thread, 0, threaded, (void *)turns);
  for (long i = 0; i < turns; i++) {
    sum += leaf(i) + tail(i);
    if (setjmp(back) == 0) jumper(1);
    name_of(i % 2 ? "odd" : "even");
  }
  pthread_join(thread, 0);
  sum += deep(100);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    leaf(7);
    _exit(0);
  }
  waitpid(child, 0, 0);
  printf("leaf %ld deep %ld tail %ld jumper %ld sum %ld\n", counts.leaf, counts.deep, counts.tail, counts.jumper, sum);
  return 0;
}
