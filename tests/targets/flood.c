// argv[1] threads that make argv[2] calls each, as fast as they can: getppid, or openat if argv[3] names it. Prints
// their tids, one a line, and the number of calls with the right result.
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 64 };

static int calls, opens;
static int tids[MOST];
static atomic_int go;
static atomic_long right;

static int call(void) {
  if (opens) return openat(AT_FDCWD, "/no/such/file/anywhere", O_RDONLY) == -1;
  return syscall(SYS_getppid) > 0;  // another one when the parent is gone
}

static void* flood(void* place) {
  int returned = 0;
  *(int*)place = syscall(SYS_gettid);
  while (!go) {
  }
  for (int i = 0; i < calls; i++) returned += call();
  right += returned;
  return NULL;
}

int main(int argc, char** argv) {
  int count = argc > 1 ? atoi(argv[1]) : 4;
  calls = argc > 2 ? atoi(argv[2]) : 1000;
  opens = argc > 3 && !strcmp(argv[3], "openat");
  pthread_t threads[MOST];
  if (count < 1 || count > MOST) return 2;
  for (int i = 0; i < count; i++)
    if (pthread_create(&threads[i], NULL, flood, &tids[i])) return 3;
  go = 1;
  for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < count; i++) printf("%d\n", tids[i]);
  printf("%ld\n", (long)right);
  return 0;
}
