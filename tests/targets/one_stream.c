// Calls step() 100 times, and 50 times in a child: each makes one library call, which makes one system call.
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline, noclone)) long step(long i) { return i + (getppid() > 0); }

static long steps(long count) {
  long done = 0;
  while (done < count) done = step(done);
  return done;
}

int main(void) {
  pid_t child = fork();
  if (child == 0) _exit(steps(50) == 50 ? 0 : 1);
  int status = 1;
  if (waitpid(child, &status, 0) != child || status != 0) return 1;
  return steps(100) == 100 ? 0 : 1;
}
