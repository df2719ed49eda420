// Threads that wait, each for something else; build with -pthread. Scenes: deadlock, pipe, child, sleep, epoll, stdin,
// framed, many, word, unknown.
// strut: also -m32
#include <alloca.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t both_hold;

static void ready(void) {
  puts("ready");
  fflush(stdout);
}

__attribute__((noinline)) void take_second(pthread_mutex_t *mutex) {
  pthread_barrier_wait(&both_hold);
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
}

static void *other(void *arg) {
  pthread_mutex_lock(&second);
  take_second(&first);
  return arg;
}

static void deadlock(void) {
  pthread_t thread;
  pthread_barrier_init(&both_hold, NULL, 2);
  pthread_create(&thread, NULL, other, NULL);
  pthread_mutex_lock(&first);
  ready();
  take_second(&second);
}

__attribute__((noinline)) void wait_for_byte(int fd) {
  char byte;
  ssize_t got = read(fd, &byte, 1);
  printf("read %zd\n", got);
}

static inline void in_pipe(void) {
  int ends[2];
  if (pipe(ends) != 0) exit(2);
  ready();
  wait_for_byte(ends[0]);
}

static void in_child(void) {
  pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  printf("%d\n", (int)child);
  ready();
  wait(NULL);
}

static void in_epoll(void) {
  int ends[2], epoll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN}, got;
  if (pipe(ends) != 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event) != 0) exit(2);
  ready();
  int count = epoll_wait(epoll, &got, 1, -1);
  printf("epoll %d %s\n", count, count < 0 ? strerror(errno) : "");
}

// The caller is found only by its frame pointer, which no callee has saved.
__attribute__((noinline)) void pause_above(size_t bytes) {
  char *room = alloca(bytes);
  memset(room, 1, bytes);
#ifdef __x86_64__
  long result = SYS_pause;
  __asm__ volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
#else
  pause();
#endif
  printf("%d\n", room[bytes / 2]);
}

// Below code that no file has and that has no name; it keeps its frame pointer.
__attribute__((noinline)) static void below_unknown_code(void) {
  static const unsigned char kCode[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
  void *at = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(at, kCode, sizeof kCode);
  ready();
  ((void (*)(int (*)(void)))at)(pause);
  puts("ended");
}

static void *sleeper(void *arg) {
  for (;;) pause();
  return arg;
}

static void many(int count) {
  pthread_t thread;
  for (int i = 0; i < count; i++)
    if (pthread_create(&thread, NULL, sleeper, NULL) != 0) exit(2);
  ready();
  sleeper(NULL);
}

static unsigned held;

static void *waiter(void *arg) {
  for (;;) syscall(SYS_futex, &held, FUTEX_WAIT_PRIVATE, held, NULL, NULL, 0);
  return arg;
}

// A lock that is no mutex of glibc's, with its holder's id in its word.
static void hold_word(void) {
  pthread_t thread;
  held = (unsigned)syscall(SYS_gettid) | FUTEX_WAITERS;
  pthread_create(&thread, NULL, waiter, NULL);
  ready();
  sleeper(NULL);
}

int main(int argc, char **argv) {
  const char *scene = argc > 1 ? argv[1] : "";
  if (strcmp(scene, "deadlock") == 0) deadlock();
  else if (strcmp(scene, "pipe") == 0) in_pipe();
  else if (strcmp(scene, "child") == 0) in_child();
  else if (strcmp(scene, "sleep") == 0) ready(), sleep(1000);
  else if (strcmp(scene, "epoll") == 0) in_epoll();
  else if (strcmp(scene, "stdin") == 0) ready(), wait_for_byte(0);
  else if (strcmp(scene, "framed") == 0) ready(), pause_above((size_t)argc * 100);
  else if (strcmp(scene, "many") == 0) many(atoi(argv[2]));
  else if (strcmp(scene, "word") == 0) hold_word();
  else if (strcmp(scene, "unknown") == 0) below_unknown_code();
  else return 2;
  return 0;
}
