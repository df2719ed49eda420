// Functions with pointers as arguments and results, called a known number of times. Arguments name the parts to run.
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

APART size_t greet(const char *whom, size_t count) {
  __asm__ volatile("" : "+r"(count));
  return strlen(whom) + count;
}

/* Fills `to` with `count` bytes and says how many; its pointer is in other registers, and its stack argument overwritten, when it
 * returns. */
APART long fill(char *to, long count, long a, long b, long c, long d, long on_stack, char *second) {
  for (long i = 0; i < count; i++) to[i] = (char)('a' + i % 26);
  strcpy(second, "second");
  __asm__ volatile("" : "+r"(to), "+r"(count), "+m"(on_stack), "+m"(second));
  on_stack = 0;
  second = NULL;
  __asm__ volatile("" : "+m"(on_stack), "+m"(second));
  to = NULL;
  __asm__ volatile("xor %%edi, %%edi; xor %%esi, %%esi" : "+r"(to) : : "rdi", "rsi");
  return a + b + c + d > 0 ? count : -1;
}

struct pair {
  const char *name;
  long number;
  long more[3];
};
APART long take(struct pair pair, long x) {
  __asm__ volatile("" : "+r"(x));
  return pair.number + pair.more[2] + x;
}

APART long shown(char *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  long length = vsnprintf(to, 64, format, arguments);
  va_end(arguments);
  return length;
}

APART int fails_with(int number) {
  errno = number;
  __asm__ volatile("");
  return -1;
}

/* Recursion with something to say at each return. */
APART long nested(char *to, long depth) {
  char below[32];
  long count = depth > 0 ? nested(below, depth - 1) : 0;
  snprintf(to, 32, "depth %ld", depth);
  __asm__ volatile("" : "+r"(count));
  return count + 1;
}

static jmp_buf back;
static volatile int stays;
APART void leaves(char *to, long depth) {
  strcpy(to, "never told");
  if (stays) return;
  if (depth > 0) leaves(to, depth - 1);
  else longjmp(back, 1);
}

APART void handler(int number) { __asm__ volatile("" : "+r"(number)); }

static volatile int reported;
static void *call_until_reported(void *sum) {
  char text[32];
  long count = 0;
  while (!reported) {
    count += nested(text, 5);
    if (strcmp(text, "depth 5") != 0) abort();
  }
  *(long *)sum = count;
  return NULL;
}

static int run(const char *part) {
  static char buffer[64], other[64];
  if (!strcmp(part, "strings")) return greet("world", 3) == 8 && greet("a longer string than is shown", 1) > 0 ? 0 : 1;
  if (!strcmp(part, "results")) return fill(buffer, 5, 1, 1, 1, 1, 7, other) == 5 ? 0 : 1;
  if (!strcmp(part, "structures")) {
    struct pair pair = {"by value", 2, {0, 0, 3}};
    return take(pair, 4) == 9 ? 0 : 1;
  }
  if (!strcmp(part, "formats"))
    return shown(buffer, "%s %d %s %s %s %d %s", "one", 2, "three", "four", "five", 6, "seven") == 29 ? 0 : 1;
  if (!strcmp(part, "errors")) return fails_with(ENOENT) + fails_with(EPERM) == -2 ? 0 : 1;
  if (!strcmp(part, "where"))
    return printf("errno %ld\n", (long)((char*)&errno - (char*)__builtin_thread_pointer())) < 0;
  if (!strcmp(part, "nested")) return nested(buffer, 100) == 101 ? 0 : 1;
  if (!strcmp(part, "left")) {
    for (volatile int i = 0; i < 50; i++)
      if (setjmp(back) == 0) leaves(buffer, 3);
    return nested(buffer, 2) == 3 ? 0 : 1;
  }
  if (!strcmp(part, "signals")) {
    signal(SIGUSR1, handler);
    for (int i = 0; i < 10; i++) raise(SIGUSR1);
    return 0;
  }
  if (!strncmp(part, "malloc=", 7)) {
    for (long i = strtol(part + 7, NULL, 10); i > 0; i--) {
      void *volatile got = malloc(16);
      free(got);
    }
    return 0;
  }
  if (!strcmp(part, "until-told")) { /* four threads that call, until the end of the input */
    pthread_t threads[4];
    long sums[4], sum = 0;
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, call_until_reported, &sums[i]);
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) continue;
    reported = 1;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL), sum += sums[i];
    printf("nested %ld\n", sum);
    return sum % 6;
  }
  if (!strcmp(part, "cpu")) { /* microseconds that this took */
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return printf("cpu %ld\n", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
                                   usage.ru_stime.tv_usec) < 0;
  }
  if (!strncmp(part, "exec=", 5)) {
    execl(part + 5, part + 5, "strings", NULL);
    return 1;
  }
  return 2;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (run(argv[i]) != 0) {
      fprintf(stderr, "%s went wrong\n", argv[i]);
      return 1;
    }
  return 0;
}
