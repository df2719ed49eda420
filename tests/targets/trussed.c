// The events that truss shows: signals by disposition, faults, threads, children, sleep, functions. The first argument
// selects one.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static sigjmp_buf back;
static volatile sig_atomic_t caught;

static void note(int number) { caught += number; }
static void jump(int number) { siglongjmp(back, number); }

/* SIGUSR1 is caught, SIGUSR2 ignored, SIGWINCH left to its default, which is nothing. */
static int signals(void) {
  signal(SIGUSR1, note);
  signal(SIGUSR2, SIG_IGN);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR2);
  kill(getpid(), SIGWINCH);
  printf("caught %d\n", (int)caught);
  return 0;
}

/* One after the other, each survived. */
static int faults(void) {
  volatile int seen = 0;
  static const int kNumbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  for (size_t i = 0; i < sizeof kNumbers / sizeof *kNumbers; i++) signal(kNumbers[i], jump);
  volatile int zero = 0;
  char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (sigsetjmp(back, 1) == 0) *(volatile char *)16 = 1;
  else seen++;
  if (sigsetjmp(back, 1) == 0) *(volatile char *)page = 1;
  else seen++;
  if (sigsetjmp(back, 1) == 0) zero = 100 / zero;
  else seen++;
  if (sigsetjmp(back, 1) == 0) __asm__ volatile("ud2");
  else seen++;
  if (sigsetjmp(back, 1) == 0) __asm__ volatile("int3");
  else seen++;
  printf("survived %d\n", seen);
  return seen == 5 ? 0 : 1;
}

static void *thread(void *number) {
  alarm((unsigned)(size_t)number);
  return NULL;
}

/* Three threads, one after the other. */
static int threads(void) {
  for (size_t i = 1; i <= 3; i++) {
    pthread_t id;
    if (pthread_create(&id, NULL, thread, (void *)(1000 * i)) != 0) return 1;
    pthread_join(id, NULL);
  }
  alarm(0);
  return 0;
}

/* A child by vfork, one by fork. */
static int children(void) {
  int status = 0, sum = 0;
  pid_t child = vfork();
  if (child == 0) _exit(3);
  waitpid(child, &status, 0);
  sum += WEXITSTATUS(status);
  child = fork();
  if (child == 0) _exit(4);
  waitpid(child, &status, 0);
  sum += WEXITSTATUS(status);
  printf("sum %d\n", sum);
  return 0;
}

/* Copies standard input, a read at a time. */
static int copy(void) {
  char buffer[256];
  ssize_t got;
  while ((got = read(0, buffer, sizeof buffer)) > 0)
    if (write(1, buffer, (size_t)got) != got) return 1;
  return 0;
}

static int killed(void) {
  kill(getpid(), SIGTERM);
  return 0;
}

/* A handler without SA_RESTART ends a read with EINTR. */
static int interrupted(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = note;
  sigaction(SIGUSR1, &action, NULL);
  char byte;
  if (write(1, "ready\n", 6) != 6) return 1;
  ssize_t got = read(0, &byte, 1);
  return got == -1 && errno == EINTR && caught == SIGUSR1 ? 0 : 1;
}

__attribute__((noinline)) int leaf(int n) {
  __asm__ volatile("");
  return 3 * n;
}
__attribute__((noinline)) int nested(int depth) {
  if (depth == 0) return leaf(7);
  int below = nested(depth - 1);
  __asm__ volatile("");
  return below + 1;
}

static int functions(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) sum += leaf(i);
  sum += nested(3);
  char *some = malloc(100);
  some = realloc(some, 70000);
  free(some);
  printf("sum %d\n", sum);
  return 0;
}

/* Neither jumps to another function. */
__attribute__((noinline)) int inner(int turn) {
  if (turn < 2) siglongjmp(back, 1);
  return 3 * turn;
}
__attribute__((noinline)) int outer(int turn) { return inner(turn) + 1; }

/* Twice both are left without a return; the next call has their place on the stack. */
static int left(void) {
  volatile int sum = 0;
  for (volatile int turn = 0; turn < 4; turn++)
    if (sigsetjmp(back, 0) == 0) sum += outer(turn);
  printf("sum %d\n", sum);
  return 0;
}

static const char *end_file;

/* Waits in vfork until there is a file. */
static int lender(void) {
  if (write(1, "up\n", 3) != 3) return 1;
  if (vfork() == 0) {
    while (access(end_file, F_OK) != 0) usleep(1000);
    _exit(0);
  }
  return 7;
}

static void *call_alarm(void *unused) {
  (void)unused;
  printf("%d\n", gettid());
  fflush(stdout);
  for (;; usleep(1000)) alarm(0);
}

/* One thread calls alarm, the first one getuid, until there is input. */
static int two(void) {
  pthread_t other;
  if (pthread_create(&other, NULL, call_alarm, NULL) != 0) return 1;
  struct pollfd input = {0, POLLIN, 0};
  while (poll(&input, 1, 1) == 0) getuid();
  return 0;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int (*run)(void);
  } kAll[] = {{"signals", signals},
              {"faults", faults},
              {"threads", threads},
              {"children", children},
              {"copy", copy},
              {"killed", killed},
              {"interrupted", interrupted},
              {"functions", functions},
              {"left", left},
              {"two", two},
              {"lender", lender}};
  if (argc > 2) end_file = argv[2];
  for (size_t i = 0; argc > 1 && i < sizeof kAll / sizeof *kAll; i++)
    if (strcmp(kAll[i].name, argv[1]) == 0) return kAll[i].run();
  return 2;
}
