// argv[1] processes, at most 20 at a time, each with a status of its own that the parent checks. Each calls getppid
// argv[2] times, usually never.
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 20 };

static void live(int calls, int status) {
  for (int i = 0; i < calls; i++) syscall(SYS_getppid);
  _exit(status);
}

int main(int argc, char** argv) {
  int all = argc > 1 ? atoi(argv[1]) : 10, calls = argc > 2 ? atoi(argv[2]) : 0;
  pid_t pids[AT_ONCE];
  for (int first = 0; first < all; first += AT_ONCE) {
    for (int i = 0; i < AT_ONCE; i++) {
      pids[i] = fork();
      if (pids[i] < 0) return 2;
      if (pids[i] == 0) live(calls, (first + i) % 250);
    }
    for (int i = 0; i < AT_ONCE; i++) {
      int status;
      if (waitpid(pids[i], &status, 0) != pids[i]) return 3;
      if (!WIFEXITED(status) || WEXITSTATUS(status) != (first + i) % 250) return 4;
    }
  }
  return 0;
}
