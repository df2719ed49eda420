// calls getppid|openat|mix|malloc N: prints the nanoseconds that one of N rounds took. A round of openat is openat and
// close, one of mix is getppid, openat, read, close, one of malloc is malloc and free. calls run PROGRAM ARGUMENTS:
// prints the nanoseconds that the program took, without the tracer's work before and after.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

static int run(char** argv) {
  double start = nanoseconds();
  pid_t child = vfork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(127);
  }
  int status;
  if (waitpid(child, &status, 0) != child || status != 0) return 3;
  printf("%.1f\n", nanoseconds() - start);
  return 0;
}

static void allocate(void) {
  void* volatile piece = malloc(20);
  free(piece);
}

int main(int argc, char** argv) {
  if (argc >= 3 && !strcmp(argv[1], "run")) return run(argv + 2);
  if (argc != 3) return 2;
  int mix = !strcmp(argv[1], "mix"), opens = !strcmp(argv[1], "openat"), allocates = !strcmp(argv[1], "malloc"),
      rounds = atoi(argv[2]);
  char buffer[64];
  double start = nanoseconds();
  for (int i = 0; i < rounds; i++) {
    if (allocates) {
      allocate();
      continue;
    }
    if (!opens) syscall(SYS_getppid);
    if (!mix && !opens) continue;
    int fd = open("/etc/passwd", O_RDONLY);
    if (mix && read(fd, buffer, sizeof buffer) < 0) return 3;
    close(fd);
  }
  printf("%.1f\n", (nanoseconds() - start) / rounds);
  return 0;
}
