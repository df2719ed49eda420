// Functions to put probes into, each way to call and leave them, and the true counts: "name count" lines at the end.
// Arguments name the parts to run.
// strut: also -shared
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static long n_plain, n_recurse;

APART long plain(long a, long b, long c, long d, long e, long f, long g) {
  __asm__ volatile("" : "+r"(a));
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7;
}

APART long recurse(long depth) {
  long below = depth > 0 ? recurse(depth - 1) : 0;
  __asm__ volatile("" : "+r"(below));
  __atomic_add_fetch(&n_recurse, 1, __ATOMIC_RELAXED);  // not first: the kernel puts no probe on a lock prefix
  return below + 1;
}

APART long behind(long x) {
  __asm__ volatile("" : "+r"(x));
  return x * 3;
}
__attribute__((noinline, noclone, optimize("O2"))) long tail(long x) { return behind(x + 1); }

static jmp_buf back;
APART void jumps(int value) {
  __asm__ volatile("");
  longjmp(back, value);
}

static void *worker(void *rounds) {
  long sum = 0;
  for (long i = 0; i < (long)rounds; i++) {
    sum += plain(i, 1, 1, 1, 1, 1, 1);
    __atomic_add_fetch(&n_plain, 1, __ATOMIC_RELAXED);
  }
  return (void *)sum;
}

static int fails(const char *part) {
  fprintf(stderr, "%s went wrong\n", part);
  return 1;
}

static int run(const char *part) {
  if (!strcmp(part, "arguments")) {
    n_plain++;
    return plain(1, 2, 3, 4, 5, 6, 7) == 140 ? 0 : fails(part);
  }
  if (!strcmp(part, "threads")) {
    pthread_t threads[4];
    long sum = 0;
    void *got;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, worker, (void *)500L);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], &got), sum += (long)got;
    return sum == 4 * (500L * 499 / 2 + 500 * 27) ? 0 : fails(part);
  }
  if (!strcmp(part, "recursion")) return recurse(100) == 101 ? 0 : fails(part);
  if (!strcmp(part, "tails")) {
    for (int i = 0; i < 30; i++)
      if (tail(i) != (i + 1) * 3) return fails(part);
    return 0;
  }
  if (!strcmp(part, "longjmp")) {
    static volatile int rounds;
    int got = setjmp(back);
    if (got != rounds) return fails(part);
    if (rounds < 20) jumps(++rounds);
    return 0;
  }
  if (!strcmp(part, "forks")) {
    for (int i = 0; i < 5; i++) {
      n_plain++;
      plain(i, 0, 0, 0, 0, 0, 0);
      pid_t child = fork();
      if (child == 0) _exit(plain(40, 1, 0, 0, 0, 0, 0) == 42 ? 0 : 1);
      int status;
      if (waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "a child's status %#x, %m\n", status);
        return fails(part);
      }
    }
    return 0;
  }
  if (!strcmp(part, "vforks")) {
    for (int i = 0; i < 6; i++) {
      pid_t child = vfork();
      if (child == 0) {
        execl("/bin/true", "true", NULL);
        _exit(1);
      }
      int status;
      if (waitpid(child, &status, 0) != child || status != 0) return fails(part);
      n_plain += i == 5;
      if (i == 5) plain(1, 1, 1, 1, 1, 1, 1);
    }
    return 0;
  }
  if (!strcmp(part, "errors")) {
    for (int i = 0; i < 7; i++) close(-5);
    return 0;
  }
  if (!strncmp(part, "late=", 5)) {  // a library opened later: this very file, built as one
    void *library = dlopen(part + 5, RTLD_NOW);
    long (*there)(long) = library ? (long (*)(long))dlsym(library, "behind") : NULL;
    if (!there) return fails(part);
    for (int i = 0; i < 11; i++)
      if (there(i) != i * 3) return fails(part);
    return dlclose(library) == 0 ? 0 : fails(part);
  }
  if (!strcmp(part, "waits")) {
    puts("ready");
    fflush(stdout);
    return getchar() == EOF ? 0 : 0;
  }
  return fails("an unknown part");
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (run(argv[i])) return 1;
  printf("plain %ld\nrecurse %ld\n", n_plain, n_recurse);
  return 0;
}
