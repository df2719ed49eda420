// Strings, buffers, arrays and structures that end where memory ends, or lie across that end; lengths that lie.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char *end;  // the first byte that is not mapped

static void *tail(const void *bytes, size_t size) { return memcpy(end - size, bytes, size); }

static void buffers(int fd) {
  memset(end - 4096, 'a', 4096);
  for (int before = 31; before <= 34; before++) {
    syscall(SYS_write, fd, end - before, 64);
    syscall(SYS_write, fd, end - before, (long)before);
  }
  syscall(SYS_write, fd, end - 1, -1L);
  syscall(SYS_write, fd, end, 0L);
  syscall(SYS_write, fd, end, 1L);
  syscall(SYS_write, fd, NULL, 1L);
  syscall(SYS_read, fd, end - 8, 8L);
}

static void strings(void) {
  memset(end - 4096, 'p', 4096);
  chdir(end - 20);
  chdir(end - 4096);
  chdir(tail("nowhere", 8));
  chdir(end);
  syscall(SYS_chdir, 0L);
  syscall(SYS_chdir, 1L);
  prctl(PR_SET_NAME, end - 16);
  prctl(PR_SET_NAME, end - 15);
  prctl(PR_SET_NAME, tail("short", 6));
  char name[17] = "";
  prctl(PR_GET_NAME, name);
}

static void arrays(int fd) {
  struct pollfd fds[40];
  for (int i = 0; i < 40; i++) fds[i] = (struct pollfd){-1 - i, POLLIN | POLLPRI, 0};
  struct pollfd *at = tail(fds, sizeof fds);
  int counts[] = {0, 1, 31, 32, 33, 40, 41, 1000};
  for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) poll(at + (i & 1), counts[i], 0);
  poll((struct pollfd *)(end - 4), 1, 0);
  poll((struct pollfd *)end, 2, 0);
  poll((struct pollfd *)end, 0, 0);
  syscall(SYS_poll, 0L, 2, 0);
  struct iovec pieces[3] = {{"abc", 3}, {NULL, 0}, {end, 4}};
  writev(fd, pieces, 2);
  writev(fd, tail(pieces, sizeof pieces), 3);
  writev(fd, (void *)(end - 16), 2);
  writev(fd, (void *)(end - 15), 2);
}

static void structures(void) {
  struct timespec shortly = {0, 1};
  nanosleep(tail(&shortly, sizeof shortly), NULL);
  nanosleep((void *)(end - 8), NULL);
  nanosleep((void *)end, (void *)end);
  syscall(SYS_stat, "/", end - sizeof(struct stat));
  syscall(SYS_stat, "/", end - sizeof(struct stat) + 1);
  syscall(SYS_stat, "/nowhere", end - sizeof(struct stat));
  long set = 0x4001;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, tail(&set, 8), end - 8, 8L);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, end - 4, NULL, 8L);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, end - 8, NULL, 4L);
}

static void changes(int fd) {
  char address[110];
  int socket_fd = socket(AF_UNIX, SOCK_DGRAM, 0);
  socklen_t lengths[] = {0, 1, 2, 110, -1};
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++)
    getsockname(socket_fd, (void *)address, tail(&lengths[i], sizeof *lengths));
  getsockname(socket_fd, (void *)address, NULL);
  getsockname(-1, (void *)address, tail(&lengths[3], sizeof *lengths));
  getsockname(socket_fd, (void *)end, (void *)(end - 2));
  int from = open("/proc/self/exe", O_RDONLY);
  off_t offset = 5;
  off_t *at = tail(&offset, sizeof offset);
  sendfile(fd, from, at, 10);
  sendfile(fd, from, NULL, 10);
  sendfile(fd, -1, at, 10);
  sendfile(fd, from, (void *)(end - 4), 10);
}

int main(void) {
  char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  end = pages + 4096;
  munmap(end, 4096);
  int null = open("/dev/null", O_WRONLY);
  buffers(null);
  strings();
  arrays(null);
  structures();
  changes(null);
  return 0;
}
