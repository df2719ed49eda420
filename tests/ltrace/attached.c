// Four threads that call getppid() now and then, one more that begins when a line comes, and a first one that does not,
// until the input ends.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *calls(void *unused) {
  for (;;) {
    getppid();
    usleep(20000);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  char line[16];
  for (int i = 0; i < 4; i++) pthread_create(&thread, NULL, calls, NULL);
  puts("ready");
  fflush(stdout);
  if (!fgets(line, sizeof line, stdin)) return 1;
  pthread_create(&thread, NULL, calls, NULL);
  puts("more");
  fflush(stdout);
  while (fgets(line, sizeof line, stdin)) continue;
  return 7;
}
