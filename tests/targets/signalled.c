// Calls getppid() until SIGUSR1 comes, then go(), once, and sleeps.
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t has_come;

static void come(int signal) {
  (void)signal;
  has_come = 1;
}

__attribute__((noinline)) void go(void) { __asm__ volatile("" ::: "memory"); }

int main(void) {
  signal(SIGUSR1, come);
  puts("ready");
  fflush(stdout);
  while (!has_come) {
    getppid();
    usleep(100);
  }
  go();
  for (;;) pause();
}
