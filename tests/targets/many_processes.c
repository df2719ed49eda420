// argv[1] processes, at most 20 at a time, each with a status of its own that the parent checks.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 20 };

int main(int argc, char** argv) {
  int all = argc > 1 ? atoi(argv[1]) : 10;
  pid_t pids[AT_ONCE];
  for (int first = 0; first < all; first += AT_ONCE) {
    for (int i = 0; i < AT_ONCE; i++) {
      pids[i] = fork();
      if (pids[i] < 0) return 2;
      if (pids[i] == 0) _exit((first + i) % 250);
    }
    for (int i = 0; i < AT_ONCE; i++) {
      int status;
      if (waitpid(pids[i], &status, 0) != pids[i]) return 3;
      if (!WIFEXITED(status) || WEXITSTATUS(status) != (first + i) % 250) return 4;
    }
  }
  return 0;
}
