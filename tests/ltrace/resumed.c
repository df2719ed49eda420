// setjmp(3) that returns again and again, and a coroutine with a stack in the frame of main(). "exits": a thread that
// ends within calls. "forks": a child jumps back to where its parent was.
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

static int forks(void) {
  int status = 0;
  if (setjmp(buffer) != 0) _exit(getppid() > 0 ? 3 : 4);
  if (fork() == 0) longjmp(buffer, 5);
  wait(&status);
  return WEXITSTATUS(status) + 4;
}

/// More buffers than are remembered: a jump to one of the latest 256.
static int marks(void) {
  static jmp_buf many[400];
  volatile int returns = 0;
  for (volatile int i = 0; i < 400; i++)
    if (setjmp(many[i]) != 0) return returns + 7;
  longjmp(many[200], 6);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "forks") == 0) return forks();
  if (argc > 1 && strcmp(argv[1], "marks") == 0) return marks();
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
