// A thread among argv[1] calls execve: the process goes on under its leader's id as /bin/true, or as a shell that ends
// with status argv[2]. Where there is an argv[3] the thread says its id before, and waits for a line.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* sleep_on(void* unused) {
  (void)unused;
  pause();
  return NULL;
}

static void wait_for_line(void) {
  char line[2];
  dprintf(1, "%ld\n", syscall(SYS_gettid));
  if (read(0, line, sizeof line) <= 0) _exit(6);
}

static void* exec_here(void* data) {
  char** arguments = data;
  char *true_argv[] = {"true", NULL}, *shell_argv[] = {"sh", "-c", "exit $0", arguments[2], NULL};
  char* environ[] = {NULL};
  usleep(20000);
  if (!arguments[2]) syscall(SYS_execve, "/bin/true", true_argv, environ);
  if (arguments[3]) wait_for_line();
  syscall(SYS_execve, "/bin/sh", shell_argv, environ);
  _exit(9);
}

int main(int argc, char** argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  pthread_t thread;
  for (int i = 1; i < threads; i++) {
    if (pthread_create(&thread, NULL, sleep_on, NULL)) _exit(8);
  }
  if (pthread_create(&thread, NULL, exec_here, argv)) _exit(8);
  pause();
  return 7;
}
