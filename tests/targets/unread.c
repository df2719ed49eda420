// Calls with arguments on untouched pages that the kernel does not read either: it refuses the calls for their flags,
// their descriptors or by seccomp, or ignores the written data. Prints the arguments; exits right after the last one.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "seccomp_answer.h"

enum { PAGE = 4096, PAGES = 16 };

static char* const base = (char*)0x200000000000;

static int file;

// Pages of the file that are mapped anew: no thread has touched them.
static void untouch(void) {
  if (mmap(base, PAGES * PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != base) exit(2);
}

static void fill(void) {
  static char content[PAGES * PAGE];
  strcpy(content, "first-page");
  strcpy(content + PAGE, "second-page");
  strcpy(content + 3 * PAGE - 5, "over-the-edge");
  struct iovec vector[2] = {{base + 5 * PAGE, 6}, {base + 6 * PAGE, 7}};
  struct msghdr message = {.msg_iov = (struct iovec*)(base + 4 * PAGE), .msg_iovlen = 2};
  memcpy(content + 4 * PAGE, vector, sizeof vector);
  strcpy(content + 5 * PAGE, "word-1");
  strcpy(content + 6 * PAGE, "word-22");
  memcpy(content + 7 * PAGE, &message, sizeof message);
  char* arguments[3] = {base + 9 * PAGE, base + 10 * PAGE, NULL};
  memcpy(content + 8 * PAGE, arguments, sizeof arguments);
  strcpy(content + 9 * PAGE, "argument-0");
  strcpy(content + 10 * PAGE, "argument-1");
  file = memfd_create("unread", 0);
  if (write(file, content, sizeof content) != sizeof content) exit(2);
}

static void refused(void) { syscall(SYS_openat, AT_FDCWD, base, O_CREAT | O_EXCL | O_DIRECTORY | O_WRONLY, 0); }
static void two_paths(void) { syscall(SYS_renameat2, AT_FDCWD, base, AT_FDCWD, base + PAGE, 0x70); }
static void across_pages(void) {
  syscall(SYS_openat, AT_FDCWD, base + 3 * PAGE - 5, O_CREAT | O_EXCL | O_DIRECTORY | O_WRONLY, 0);
}
static void vector(void) { syscall(SYS_writev, -1, base + 4 * PAGE, 2); }
static void message(void) { syscall(SYS_sendmsg, -1, base + 7 * PAGE, 0); }
static void program(void) { syscall(SYS_execveat, AT_FDCWD, base, base + 8 * PAGE, NULL, 0x70); }
static void ignored(void) { syscall(SYS_write, open("/dev/null", O_WRONLY), base + PAGE, 11); }
static void not_mapped(void) {
  syscall(SYS_openat, AT_FDCWD, base + PAGES * PAGE, O_CREAT | O_EXCL | O_DIRECTORY | O_WRONLY, 0);
}
static void one_is_not_mapped(void) {
  syscall(SYS_renameat2, AT_FDCWD, base + PAGES * PAGE, AT_FDCWD, base + PAGE, 0x70);
}
static void past_the_file(void) {
  if (ftruncate(file, PAGE)) exit(2);
  syscall(SYS_openat, AT_FDCWD, base + 2 * PAGE, O_CREAT | O_EXCL | O_DIRECTORY | O_WRONLY, 0);
}
static void never_written(void) {
  if (mmap(base, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != base) exit(2);
  syscall(SYS_openat, AT_FDCWD, base, O_CREAT | O_EXCL | O_DIRECTORY | O_WRONLY, 0);
}
static void denied(void) {
  answer_call(SYS_mkdir, SECCOMP_RET_ERRNO | EACCES, 0);
  syscall(SYS_mkdir, base, 0755);
}

static void (*const kWays[])(void) = {refused, two_paths,  across_pages,      vector,        message,       program,
                                      ignored, not_mapped, one_is_not_mapped, past_the_file, never_written, denied};

static void* in_thread(void* unused) {
  (void)unused;
  refused();
  syscall(SYS_exit_group, 0);
  return NULL;
}

// Each in a process of its own, of which nothing is left when the call is reported; the last one in a thread that ends
// its process.
int main(int argc, char** argv) {
  size_t only = argc > 1 ? strtoul(argv[1], NULL, 10) : ~0ul;
  fill();
  for (size_t i = 0; i <= sizeof kWays / sizeof *kWays; i++) {
    if (only != ~0ul && i != only) continue;
    untouch();
    if (only == ~0ul && fork() != 0) {
      wait(NULL);
      continue;
    }
    pthread_t thread;
    if (i < sizeof kWays / sizeof *kWays) kWays[i]();
    else if (pthread_create(&thread, NULL, in_thread, NULL) == 0) pause();
    syscall(SYS_exit_group, 0);
  }
  return 0;
}
