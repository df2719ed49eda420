// Blocks all signals and calls plain() until its input ends. Prints "ready", and exits with 0 if it blocks all of them
// still and has none pending.
#include <poll.h>
#include <signal.h>
#include <stdio.h>

static volatile long calls;
__attribute__((noinline)) void plain(void) { calls++; }

int main(void) {
  sigset_t all, now, pending;
  struct pollfd input = {.fd = 0, .events = POLLIN};
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  puts("ready");
  fflush(stdout);
  while (poll(&input, 1, 0) == 0)
    for (int i = 0; i < 10; i++) plain();
  sigpending(&pending);
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("%d %d\n", sigismember(&now, SIGTRAP), sigismember(&pending, SIGTRAP));
  return sigismember(&now, SIGTRAP) != 1 || sigismember(&pending, SIGTRAP) != 0;
}
