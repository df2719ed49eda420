// A thread among argv[1] calls execve: the process goes on as /bin/true, under its leader's id.
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* sleep_on(void* unused) {
  (void)unused;
  pause();
  return NULL;
}

static void* exec_here(void* unused) {
  (void)unused;
  usleep(20000);
  char* argv[] = {"true", NULL};
  char* environ[] = {NULL};
  syscall(SYS_execve, "/bin/true", argv, environ);
  _exit(9);
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t thread;
  for (int i = 1; i < threads; i++) {
    if (pthread_create(&thread, NULL, sleep_on, NULL)) _exit(8);
  }
  if (pthread_create(&thread, NULL, exec_here, NULL)) _exit(8);
  pause();
  return 7;
}
