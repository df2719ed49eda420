// Files, devices, pipes and anonymous files behind descriptors, as -y and -yy show them.
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static void plain_files(void) {
  int fd = open("plain", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  write(fd, "x", 1);
  dup2(fd, 40);
  unlink("plain");
  fsync(fd);
  close(40);
  close(fd);
  fd = open("ends (deleted)", O_RDWR | O_CREAT, 0600);
  ftruncate(fd, 1);
  rename("ends (deleted)", "renamed");
  ftruncate(fd, 2);
  unlink("renamed");
  close(fd);
  close(77);
  mkdir("folder", 0700);
  int folder = open("folder", O_RDONLY | O_DIRECTORY);
  mknodat(folder, "fifo", S_IFIFO | 0600, 0);
  int fifo = openat(folder, "fifo", O_RDWR);
  mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, folder, 0);
  renameat(AT_FDCWD, "folder", AT_FDCWD, "elsewhere");
  unlinkat(folder, "fifo", 0);
  close(fifo);
  fchdir(folder);
  rmdir("../elsewhere");
  faccessat(AT_FDCWD, "nothing", F_OK, 0);
  fstat(folder, &(struct stat){0});
  chdir("..");
}

static void deep_path(void) {
  int at = AT_FDCWD;
  for (int i = 0; i < 40; i++) {
    char name[64];
    snprintf(name, sizeof name, "a-folder-with-a-rather-long-name-%d", i);
    mkdirat(at, name, 0700);
    at = openat(at, name, O_RDONLY | O_DIRECTORY);
  }
  fstat(at, &(struct stat){0});
}

static void pipes_and_sets(void) {
  int ends[2], more[2];
  pipe(ends);
  pipe2(more, O_NONBLOCK);
  write(ends[1], "a", 1);
  struct pollfd polled[] = {{ends[0], POLLIN, 0}, {more[0], POLLIN, 0}, {-1, 0, 0}, {55, POLLIN, 0}};
  poll(polled, 4, 0);
  fd_set in, out;
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(ends[0], &in);
  FD_SET(more[0], &in);
  FD_SET(more[1], &out);
  select(more[1] + 1, &in, &out, NULL, &(struct timeval){0, 0});
  splice(ends[0], NULL, more[1], NULL, 1, 0);
  tee(more[0], ends[1], 1, 0);
}

static void anonymous_files(void) {
  int event = eventfd(3, EFD_SEMAPHORE | EFD_NONBLOCK);
  uint64_t number = 5;
  write(event, &number, sizeof number);
  read(event, &number, sizeof number);
  int epoll = epoll_create1(0);
  epoll_ctl(epoll, EPOLL_CTL_ADD, event, &(struct epoll_event){EPOLLIN, {0}});
  epoll_wait(epoll, &(struct epoll_event){0}, 1, 0);
  int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  timerfd_gettime(timer, &(struct itimerspec){0});
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  int signals = signalfd(-1, &set, SFD_NONBLOCK);
  sigaddset(&set, SIGCHLD);
  signalfd(signals, &set, 0);
  read(signals, &(struct signalfd_siginfo){0}, sizeof(struct signalfd_siginfo));
  int memory = memfd_create("a name", 0);
  ftruncate(memory, 100);
  close(inotify_init1(0));
  close(syscall(SYS_pidfd_open, getpid(), 0));
}

/* Descriptors that structures have, and are closed at once. */
static void named_in_structures(void) {
  int fd = open("named", O_RDWR | O_CREAT, 0600);
  struct iocb request = {.aio_fildes = (uint32_t)fd};
  aio_context_t context = 0;
  syscall(SYS_io_setup, 1, &context);
  syscall(SYS_io_cancel, context, &request, &(struct io_event){0});
  uint64_t mount_request[4] = {sizeof mount_request | (uint64_t)fd << 32, 1, 0, 0}, mounts[1];
  syscall(458, mount_request, mounts, 1, 0); /* listmount, of Linux 6.8 */
  uint64_t attributes[4] = {MOUNT_ATTR_IDMAP, 0, 0, (uint64_t)fd};
  syscall(SYS_mount_setattr, -1, "", AT_EMPTY_PATH, attributes, sizeof attributes);
  struct io_uring_params ring = {.flags = IORING_SETUP_ATTACH_WQ, .wq_fd = (uint32_t)fd};
  syscall(SYS_io_uring_setup, 1, &ring);
  close(fd);
  unlink("named");
}

static void pidfds(void) {
  pid_t child = fork();
  if (child == 0) _exit(7);
  int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
  waitid(P_PIDFD, (id_t)pidfd, &(siginfo_t){0}, WEXITED | WNOWAIT);
  waitid(P_PIDFD, (id_t)pidfd, &(siginfo_t){0}, WEXITED);
  syscall(SYS_pidfd_send_signal, pidfd, 0, NULL, 0);
  close(pidfd);
}

static void devices(void) {
  close(open("/dev/null", O_RDWR));
  close(open("/dev/zero", O_RDONLY));
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  grantpt(terminal);
  unlockpt(terminal);
  char name[64];
  if (ptsname_r(terminal, name, sizeof name) == 0) {
    int slave = open(name, O_RDWR | O_NOCTTY);
    write(slave, "t", 1);
    isatty(slave);
    close(slave);
  }
  close(terminal);
  close(open("/proc/self/ns/net", O_RDONLY));
  close(open("/proc/self/status", O_RDONLY));
}

static void mounts(void) {
  mkdir("mounted", 0700);
  mkdir("bound", 0700);
  if (fork() == 0) {
    if (unshare(CLONE_NEWNS) != 0) _exit(0);
    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
    mount("none", "mounted", "tmpfs", 0, NULL);
    close(open("mounted/file", O_CREAT | O_RDWR, 0600));
    mount("mounted", "bound", NULL, MS_BIND, NULL);
    int bound = open("bound/file", O_RDWR);
    fstat(bound, &(struct stat){0});
    umount2("bound", MNT_DETACH);
    fstat(bound, &(struct stat){0});
    mkdir("mounted/lower", 0700), mkdir("mounted/upper", 0700), mkdir("mounted/work", 0700),
        mkdir("mounted/merged", 0700);
    close(open("mounted/lower/below", O_CREAT | O_RDWR, 0600));
    mount("none", "mounted/merged", "overlay", 0, "lowerdir=mounted/lower,upperdir=mounted/upper,workdir=mounted/work");
    close(open("mounted/merged/below", O_RDONLY));
    close(open("mounted/merged/above", O_CREAT | O_RDWR, 0600));
    int outside = open(".", O_RDONLY);
    if (chroot("mounted") == 0) {
      close(open("/file", O_RDONLY));
      fstat(outside, &(struct stat){0});
      faccessat(AT_FDCWD, "x", F_OK, 0);
      chdir("/");
      faccessat(AT_FDCWD, "x", F_OK, 0);
    }
    _exit(0);
  }
  wait(NULL);
}

int main(void) {
  plain_files();
  deep_path();
  pipes_and_sets();
  anonymous_files();
  named_in_structures();
  pidfds();
  devices();
  mounts();
  return 0;
}
