// Threads that make processes all the time, in every way that clone(2) has, until SIGTERM. Usage: relatives FILE
// [THREADS [COMPANIONS]] Each process checks the C library's results, most of them in the memory of their parent and
// beside it; COMPANIONS (1) from the beginning to the end. FILE gets "ready PID", and at the end "well" or "wrong".
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10, STATUS = 5, CHECKS = 4, MAX_THREADS = 16, MAX_COMPANIONS = 16 };

static const int ways[] = {CLONE_VM, 0, CLONE_VM | CLONE_VFORK, CLONE_VM | CLONE_UNTRACED};
static _Alignas(16) char stacks[MAX_THREADS + MAX_COMPANIONS][STACK_BYTES];
static volatile sig_atomic_t ends;
static volatile int is_wrong;
static char* volatile number = "42";

static void end(int signal) { ends = 1; }

__attribute__((noinline)) int own_function(int more) { return (int)strtol(number, NULL, 10) + more; }

static int child(void* unused) {
  for (int i = 0; i < CHECKS; i++)
    if (own_function(1) != 43 || strlen(number) != 2) return STATUS + 1;
  return STATUS;
}

/// It shares its parent's thread-local memory, so that it calls no function that uses that.
static int companion(void* unused) {
  const struct timespec pause = {0, 1000000};
  int status = STATUS;
  while (!ends) {
    if (child(NULL) != STATUS) status = STATUS + 1;
    syscall(SYS_nanosleep, &pause, NULL);
  }
  return status;
}

static int make(int (*function)(void*), char* stack, int flags) {
  return clone(function, stack + STACK_BYTES, flags | SIGCHLD, NULL);
}

static void await(int pid, int flags) {
  int status;
  while (pid > 0 && waitpid(pid, &status, __WALL) < 0) {
  }
  if (pid <= 0 || status == STATUS << 8) return;
  is_wrong = 1;
  fprintf(stderr, "relatives: child %d, made with flags %#x, ended with status %#x\n", pid, flags, status);
}

static void* work(void* index) {
  for (unsigned n = 0; !ends; n++) {
    int flags = ways[n % (sizeof ways / sizeof *ways)];
    await(make(child, stacks[(intptr_t)index], flags), flags);
    if (n % 16 == 0) usleep(50);
  }
  return NULL;
}

int main(int count, char** words) {
  int threads = count > 2 ? atoi(words[2]) : 4, companions = count > 3 ? atoi(words[3]) : 1;
  int beside[MAX_COMPANIONS];
  pthread_t all[MAX_THREADS];
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  for (int i = 0; i < companions; i++) beside[i] = make(companion, stacks[MAX_THREADS + i], CLONE_VM);
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, work, (void*)(intptr_t)i);
  FILE* file = fopen(words[1], "we");
  fprintf(file, "ready %d\n", getpid());
  fflush(file);
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  for (int i = 0; i < companions; i++) await(beside[i], CLONE_VM);
  fputs(is_wrong ? "wrong\n" : "well\n", file);
  fclose(file);
  return is_wrong ? 9 : 17;
}
