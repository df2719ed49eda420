// Spends CPU time where it says. "shares MS [THREADS]": so many milliseconds in each thread, three quarters of them in
// thrice() and one in once(); prints "cpu NANOSECONDS" of the process. "waits N": N rounds of a little work and of
// calls that sleep and that signal(7) says end with EINTR after a stop; prints "interrupted" and how many did.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static uint64_t time_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * 1000000000ull + time.tv_nsec;
}

enum { kTurn = 20000, kTurns = 200 };

APART void once(void) {
  for (volatile long i = 0; i < kTurn; i++) continue;
}
APART void thrice(void) {
  for (volatile long i = 0; i < 3 * kTurn; i++) continue;
}

static uint64_t wanted_ns;

static void* share(void* unused) {
  while (time_of(CLOCK_THREAD_CPUTIME_ID) < wanted_ns)
    for (int i = 0; i < kTurns; i++) once(), thrice();
  return unused;
}

static void shares(long threads) {
  pthread_t others[64];
  for (long i = 1; i < threads; i++)
    if (pthread_create(&others[i], 0, share, 0)) exit(2);
  share(0);
  for (long i = 1; i < threads; i++) pthread_join(others[i], 0);
  printf("cpu %llu\n", (unsigned long long)time_of(CLOCK_PROCESS_CPUTIME_ID));
}

static long interrupted;
static void note(long result) { interrupted += result < 0 && errno == EINTR; }

static void waits(long rounds) {
  int poll = epoll_create1(0), pair[2], semaphores = semget(IPC_PRIVATE, 1, 0600);
  struct timeval timeout = {0, 1000};
  socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
  setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  for (long i = 0; i < rounds; i++) {
    struct epoll_event event;
    struct timespec little = {0, 200000};
    struct sembuf take = {0, -1, 0};
    char byte;
    once();
    note(epoll_wait(poll, &event, 1, 1));
    note(semtimedop(semaphores, &take, 1, &little));
    note(sigtimedwait(&set, 0, &little));
    note(recv(pair[0], &byte, 1, 0));
    note(nanosleep(&little, 0));
  }
  semctl(semaphores, 0, IPC_RMID);
  printf("interrupted %ld\n", interrupted);
}

int main(int count, char** words) {
  if (count < 3) return 2;
  long number = atol(words[2]);
  wanted_ns = number * 1000000ull;
  if (!strcmp(words[1], "waits"))
    waits(number);
  else
    shares(count > 3 ? atol(words[3]) : 1);
  return 0;
}
