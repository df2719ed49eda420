// Threads and children that check the C library's results, until SIGTERM. Usage: survives FILE [THREADS]
// FILE gets "ready PID", and at the end "well" or "wrong".
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ends;
static volatile int is_wrong;
static char *volatile number = "42";

static void end(int signal) { ends = 1; }

__attribute__((noinline)) int own_function(int more) { return (int)strtol(number, NULL, 10) + more; }

static void check(void) {
  if (own_function(1) != 43 || strlen(number) != 2) is_wrong = 1;
}

static void *work(void *unused) {
  for (long n = 1; !ends; n++) {
    check();
    if ((n & 127) == 0) usleep(50);
  }
  return NULL;
}

static void make_a_child(void) {
  int status, child = fork();
  if (child == 0) {
    for (int i = 0; i < 20; i++) check();
    _exit(is_wrong ? 9 : 5);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0) {
  }
  if (child > 0 && status != 5 << 8) is_wrong = 1;
}

int main(int count, char **words) {
  int threads = count > 2 ? atoi(words[2]) : 16;
  pthread_t all[64];
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  for (int i = 0; i < threads; i++) pthread_create(&all[i], NULL, work, NULL);
  FILE *file = fopen(words[1], "we");
  fprintf(file, "ready %d\n", getpid());
  fflush(file);
  while (!ends) {
    make_a_child();
    usleep(2000);
  }
  for (int i = 0; i < threads; i++) pthread_join(all[i], NULL);
  fputs(is_wrong ? "wrong\n" : "well\n", file);
  fclose(file);
  return is_wrong ? 9 : 17;
}
