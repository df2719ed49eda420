// Reactions of programs to ^C, and whether it reaches them: argv[1] selects one.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void handler(int signal) { (void)signal; }

static void ready(const char *line) {
  puts(line);
  fflush(stdout);
}

/// The child is in another group, and lives on for a while when it has ended.
static void leave_a_child(void) {
  if (fork() == 0) {
    setpgid(0, 0);
    printf("child %d\n", getpid());
    ready("ready");
    sleep(60);
    _exit(0);
  }
  pause();
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "ignores") == 0) signal(SIGINT, SIG_IGN);
  if (strcmp(mode, "handles") == 0) signal(SIGINT, handler);
  if (strcmp(mode, "leaves") == 0) leave_a_child();
  if (strcmp(mode, "moves") == 0) setpgid(0, 0);
  ready("ready");
  sleep(strcmp(mode, "moves") == 0 ? 60 : 1);  // cut short by a handler
  ready("on");
  return 7;
}
