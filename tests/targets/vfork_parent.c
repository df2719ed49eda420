// A parent that vforks: its child runs in its memory and must be gone before it goes on.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 20; i++) {
    volatile int written = 0;
    pid_t child = vfork();
    if (child < 0) return 2;
    if (child == 0) {
      written = 1;
      if (i % 2) execl("/bin/sh", "sh", "-c", "exit 5", (char*)NULL);
      _exit(5);
    }
    if (!written) return 3;
    int status;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 5) return 4;
  }
  return 0;
}
