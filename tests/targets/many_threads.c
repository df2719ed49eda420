// argv[1] threads, at most 50 at a time, that each make a call and exit.
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { AT_ONCE = 50 };

static void* call(void* unused) {
  syscall(SYS_getppid);
  return unused;
}

int main(int argc, char** argv) {
  int left = argc > 1 ? atoi(argv[1]) : 10;
  pthread_t threads[AT_ONCE];
  while (left > 0) {
    int now = left < AT_ONCE ? left : AT_ONCE;
    for (int i = 0; i < now; i++)
      if (pthread_create(&threads[i], NULL, call, NULL)) return 2;
    for (int i = 0; i < now; i++) pthread_join(threads[i], NULL);
    left -= now;
  }
  return 0;
}
