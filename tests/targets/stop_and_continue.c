// A child stops itself and is continued, again and again; its parent waits with WUNTRACED and WCONTINUED and checks the
// statuses, and that a stopped child stays stopped.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int gate[2];  // the child goes on when a byte comes: its parent must have got the continuation before

static int child(void) {
  for (int i = 0; i < 3; i++) {
    char byte;
    raise(SIGSTOP);
    if (read(gate[0], &byte, 1) != 1) return 9;
  }
  return 6;
}

int main(void) {
  if (pipe(gate)) return 2;
  pid_t pid = fork();
  if (pid < 0) return 2;
  if (pid == 0) _exit(child());
  for (int i = 0; i < 3; i++) {
    int status;
    if (waitpid(pid, &status, WUNTRACED) != pid) return 3;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGSTOP) return 4;
    usleep(20000);
    if (waitpid(pid, &status, WNOHANG) != 0) return 5;  // it is still stopped
    if (kill(pid, SIGCONT)) return 6;
    if (waitpid(pid, &status, WCONTINUED) != pid || !WIFCONTINUED(status)) return 7;
    if (write(gate[1], "x", 1) != 1) return 8;
  }
  int status;
  if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 6) return 10;
  return 0;
}
