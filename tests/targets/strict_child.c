// A parent calls work() until the first line of its input, and makes a child then. The child is in seccomp's strict mode:
// it may read, write, return from handlers and exit, and dies of any other call. It calls work() 20 times, and once more
// before it exits at the second line. Prints the ids of both, and the child's wait status at the end.
#include <linux/seccomp.h>
#include <poll.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int work(int number) {
  asm volatile("" ::: "memory");
  return number + 1;
}

static void be_child(int orders, int answers) {
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  char byte;
  while (read(orders, &byte, 1) == 1) {
    byte = (char)work(byte);
    write(answers, &byte, 1);
  }
  syscall(SYS_exit, 5);
}

int main(void) {
  int orders[2], answers[2], status = 0;
  char line[64], byte = 1;
  if (pipe(orders) || pipe(answers)) return 1;
  printf("%d\n", getpid());
  fflush(stdout);
  for (struct pollfd input = {.fd = 0, .events = POLLIN}; poll(&input, 1, 1) == 0;) work(0);
  if (!fgets(line, sizeof line, stdin)) return 1;
  pid_t child = fork();
  if (child == 0) {
    close(orders[1]);
    be_child(orders[0], answers[1]);
  }
  close(orders[0]);
  for (int i = 0; i < 20; i++) {
    if (write(orders[1], &byte, 1) != 1 || read(answers[0], &byte, 1) != 1) break;
    byte = 1;
  }
  printf("%d\n", child);
  fflush(stdout);
  fgets(line, sizeof line, stdin);
  write(orders[1], &byte, 1);
  close(orders[1]);
  waitpid(child, &status, 0);
  printf("%#x\n", status);
  return status == 5 << 8 ? 0 : 1;
}
