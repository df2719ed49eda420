/* Makes processes until its standard input ends, each of which makes the same calls. */
#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int toupper(int);
enum { TURNS = 10 };
static volatile int sum;

int main(void) {
  struct pollfd input = {0, POLLIN, 0};
  puts("ready");
  fflush(stdout);
  while (poll(&input, 1, 0) == 0) {
    pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < TURNS; i++) sum += toupper('a' + i);
      _exit(0);
    }
    waitpid(child, NULL, 0);
  }
  return 7;
}
