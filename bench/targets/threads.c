// threads N: makes threads until there are N, which all sleep, and prints "ready". It ends when its input does.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void* sleep_on(void* nothing) {
  pause();
  return nothing;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 1; i < atoi(argv[1]); i++) {
    pthread_t thread;
    if (pthread_create(&thread, &small, sleep_on, NULL) != 0) return 1;
  }
  puts("ready");
  fflush(stdout);
  char byte;
  return read(STDIN_FILENO, &byte, 1) < 0;
}
