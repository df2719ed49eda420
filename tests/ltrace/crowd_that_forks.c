/* Sixteen threads that call much and make processes again and again, until standard input ends. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16, TURNS = 50 };
static volatile int sum;

static void *work(void *argument) {
  long number = (long)argument;
  for (unsigned i = 0;; i++) {
    char *text = malloc(64);
    snprintf(text, 60, "%ld %u", number, i);
    sum += strlen(text);
    free(text);
    if (i % TURNS == number * 3 % TURNS) {
      pid_t child = fork();
      if (child == 0) _exit(0);
      waitpid(child, NULL, 0);
    }
    usleep(100);
  }
}

int main(void) {
  struct pollfd input = {0, POLLIN, 0};
  for (long i = 1; i < THREADS; i++) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, (void *)i);
  }
  puts("ready");
  fflush(stdout);
  poll(&input, 1, -1);
  _exit(7);
}
