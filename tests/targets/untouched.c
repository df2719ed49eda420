// Makes calls with untouched memory: pages of a file that were mapped just then. "writes": the process and a child of
// it write "untouched\n" from there. "reads": reads from a pipe into such memory, which a child writes to after a
// while. "waits": reads from a pipe without a writer, for three seconds. "executes PROGRAM": executes the program with
// the name that is there.
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char* untouched(const char* text) {
  int file = memfd_create("untouched", 0);
  if (file < 0 || pwrite(file, text, strlen(text) + 1, 0) < 0) _exit(3);
  char* at = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  close(file);
  return at == MAP_FAILED ? _exit(4), at : at;
}

static void writes(void) {
  char* text = untouched("untouched\n");
  write(1, text, 10);
}

int main(int count, char** words) {
  int ends[2];
  char first[2] = "r";
  if (count < 2 || pipe(ends)) return 2;
  switch (words[1][0]) {
    case 'w':
      if (words[1][1] == 'r') {
        writes();
        if (fork() == 0) return writes(), 0;
        wait(0);
        break;
      }
      alarm(3);
      read(ends[0], untouched("x"), 1);
      break;
    case 'r':
      if (fork() == 0) return usleep(100000), write(ends[1], first, 1), 0;
      read(ends[0], untouched("x"), 1);
      wait(0);
      break;
    case 'e': execv(untouched(words[2]), words + 2); return 5;
  }
  return 0;
}
