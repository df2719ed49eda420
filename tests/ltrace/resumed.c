// setjmp(3) that returns again and again, and a coroutine with a stack in the frame of main(). "exits": a thread that
// ends within calls.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t outer, inner;
static jmp_buf buffer;

static void coroutine(void) {
  for (;;) {
    getpgrp();
    swapcontext(&inner, &outer);
  }
}

static void *ends(void *unused) {
  pthread_exit(unused);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
    pthread_join(thread, NULL);
    exit(7);
  }
  int value = setjmp(buffer);
  if (value < 3) longjmp(buffer, value + 1);
  char stack[1 << 16];
  getcontext(&inner);
  inner.uc_stack.ss_sp = stack;
  inner.uc_stack.ss_size = sizeof stack;
  inner.uc_link = &outer;
  makecontext(&inner, coroutine, 0);
  for (int i = 0; i < 3; i++) {
    swapcontext(&outer, &inner);
    getppid();
  }
  return 7;
}
