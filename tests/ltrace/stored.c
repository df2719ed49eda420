/* Values that functions store for their callers through another function, to which they jump: waitpid(3) jumps to
 * wait4(2). */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  for (int status = 1; status <= 3; status++) {
    int stored = 77;
    if (fork() == 0) _exit(status);
    while (waitpid(-1, &stored, 0) < 0) {
    }
    stored = 78; /* too late to be shown */
  }
  return 7;
}
