// Memory that is written by threads, a signal handler and forked children, each value once.
//
//   watched NUMBER: NUMBER values by each of four threads and of three children; values are WRITER << 32 | 1, 2 … NUMBER.
//     Prints how many ticks of a timer the handler has counted.
//   watched 0 wait: four threads write 1, 2 … until it is killed.
//   watched NUMBER masked: writes 1 to NUMBER with all signals blocked; unblocks them after a second, prints "done".
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, CHILDREN = 3 };

volatile uint64_t shared = 7;
volatile int ticks;
volatile uint16_t small;
volatile unsigned char tiny;
volatile char buffer[100];
volatile uint64_t only_read = 3;
__thread volatile int of_thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long number;

__attribute__((noinline)) void stepped(void) { __asm__ volatile(""); }

/* By one instruction. */
static void write_value(uint64_t value) {
  pthread_mutex_lock(&lock);
  shared = value;
  pthread_mutex_unlock(&lock);
}

static void write_all(uint64_t writer) {
  for (long i = 1; i <= number; i++) write_value(writer << 32 | (uint64_t)i);
}

static void let_ticks(int how) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGALRM);
  pthread_sigmask(how, &set, 0);
}

/* Ticks interrupt the first one alone: two handlers at once would see each other's values. */
static void* thread(void* writer) {
  int is_first = (uintptr_t)writer == 1;
  if (is_first) let_ticks(SIG_UNBLOCK);
  write_all((uint64_t)(uintptr_t)writer);
  while (is_first && ticks < 3) usleep(1000);
  return 0;
}

static void tick(int signal) {
  (void)signal;
  __atomic_fetch_add(&ticks, 1, __ATOMIC_RELAXED);
}

/* The child has no thread that could hold the lock. */
static void make_child(uint64_t writer) {
  pthread_mutex_lock(&lock);
  pid_t child = fork();
  pthread_mutex_unlock(&lock);
  if (child != 0) return;
  write_all(writer);
  _exit(0);
}

static void* write_for_ever(void* unused) {
  static uint64_t next;
  for (;;) {
    pthread_mutex_lock(&lock);
    uint64_t value = ++next;
    shared = value;
    pthread_mutex_unlock(&lock);
    usleep(300);
  }
  return unused;
}

static void write_masked(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  for (long i = 1; i <= number; i++) shared = (uint64_t)i;
  sleep(1);
  sigprocmask(SIG_UNBLOCK, &all, 0);
  puts("done");
}

static void write_sizes(void) {
  small = 0x1234;
  tiny = 0x56;
  buffer[8] = 'b';
  buffer[9] = 'c';
  uint64_t read = only_read;
  only_read = read + 1;
  stepped();
  stepped();
}

int main(int argc, char** argv) {
  number = argc > 1 ? atol(argv[1]) : 100;
  pthread_t threads[THREADS];
  if (argc > 2 && strcmp(argv[2], "wait") == 0) {
    shared = 0;
    for (int i = 1; i < THREADS; i++) pthread_create(&threads[i], 0, write_for_ever, 0);
    write_for_ever(0);
  }
  if (argc > 2 && strcmp(argv[2], "masked") == 0) return write_masked(), 0;
  write_sizes();
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, 0);
  struct itimerval every = {{0, 3000}, {0, 3000}};
  setitimer(ITIMER_REAL, &every, 0);
  let_ticks(SIG_BLOCK);
  for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, thread, (void*)(i + 1));
  for (uint64_t i = 0; i < CHILDREN; i++) make_child(THREADS + 1 + i);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
  while (wait(0) > 0) {
  }
  struct itimerval none = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &none, 0);
  printf("ticks %d\n", ticks);
  return 0;
}
