// Four threads that make children one after another, which use the C library and end, until SIGTERM; memory with a copy
// that takes each fork a while. Prints at the end the number of children, and of those with a wrong exit.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kThreads = 4, kBytes = 128 << 20, kStatus = 33 };
static volatile sig_atomic_t ends;
static long children, wrong;

static void end(int signal) { ends = signal; }

static void *run(void *unused) {
  while (!ends) {
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 50; i++) free(malloc(10));
      _exit(kStatus);
    }
    int status = -1;
    while (child > 0 && waitpid(child, &status, 0) < 0) continue;
    __atomic_add_fetch(&children, 1, __ATOMIC_RELAXED);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != kStatus) {
      __atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
      printf("status %#x\n", status);
    }
  }
  return unused;
}

int main(void) {
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  char *memory = mmap(NULL, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 2;
  madvise(memory, kBytes, MADV_NOHUGEPAGE);
  memset(memory, 1, kBytes);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; i++)
    if (pthread_create(&threads[i], NULL, run, NULL) != 0) return 2;
  puts("ready");
  fflush(stdout);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  printf("children %ld\nwrong %ld\n", children, wrong);
  return wrong != 0;
}
