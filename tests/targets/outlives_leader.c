// The first thread ends; another one starts N threads one after the other, which have the stacks of those that ended,
// in the kernel too. Each calls getppid once.
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static int threads;

static void* call(void* nothing) {
  syscall(SYS_getppid);
  return nothing;
}

static void* go_on(void* nothing) {
  usleep(50000);
  for (int i = 0; i < threads; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, call, NULL) != 0) _exit(1);
    pthread_join(thread, NULL);
  }
  _exit(5);
  return nothing;
}

int main(int argc, char** argv) {
  pthread_t other;
  threads = argc > 1 ? atoi(argv[1]) : 1;
  if (pthread_create(&other, NULL, go_on, NULL) != 0) return 1;
  syscall(SYS_exit, 0);
}
