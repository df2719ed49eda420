// Memory of arguments is overwritten, by the call itself or right after it: a tracer that reads it late shows garbage.
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/input.h>
#include <linux/kd.h>
#include <net/if.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { BRIDGE_DELETE = 0x89a1, FILES = 2, REGISTER_FILES_UPDATE = 6, REGISTER_WORKERS = 19, REGISTER_FILES2 = 13 };

static void spoil(void* at, size_t bytes) { memset(at, 0x5a, bytes); }

// The results overwrite the path.
static void answers_in_place(void) {
  char place[8192], path[] = "link";
  int fd = openat(AT_FDCWD, "file", O_CREAT | O_RDWR, 0600);
  symlinkat("a target that is longer than its link", AT_FDCWD, path);
  syscall(SYS_readlink, strcpy(place, path), place, sizeof place);
  syscall(SYS_readlinkat, AT_FDCWD, strcpy(place, path), place, sizeof place);
  syscall(SYS_stat, strcpy(place, "/dev/null"), place);
  syscall(SYS_newfstatat, AT_FDCWD, strcpy(place, "/dev/null"), place, 0);
  syscall(SYS_newfstatat, AT_FDCWD, strcpy(place + 100, "/dev/null"), place, 0);
  syscall(SYS_statx, AT_FDCWD, strcpy(place, "/dev/null"), 0, STATX_TYPE, place);
  syscall(SYS_statfs, strcpy(place, "/proc"), place);
  fsetxattr(fd, "user.n", "a value that is longer", 22, 0);
  fgetxattr(fd, strcpy(place, "user.n"), place, 100);
  getxattr(strcpy(place, "file"), "user.n", place, 100);
  getxattr("file", strcpy(place + 6, "user.n"), place, 100);
  listxattr(strcpy(place, "file"), place, 100);
  syscall(SYS_newfstatat, AT_FDCWD, strcpy(place + 144, "/dev/null"), place, 0);
  close(fd);
}

// Calls that move offsets and timeouts on.
static void moved_on(void) {
  int ends[2], file = openat(AT_FDCWD, "file", O_RDWR);
  int64_t from = 2, to = 3;
  if (pipe2(ends, 0) != 0 || write(ends[1], "abcdefgh", 8) != 8 || write(file, "0123456789", 10) != 10) exit(1);
  syscall(SYS_splice, ends[0], NULL, file, &to, 4, 0);
  syscall(SYS_splice, file, &from, ends[1], NULL, 4, 0);
  from = 1, to = 20;
  syscall(SYS_copy_file_range, file, &from, file, &to, 4, 0);
  close(ends[0]), close(ends[1]), close(file);
}

static void configurations(int fd) {
  char buffer[4096], name[32] = "a bridge", text[256];
  struct ifconf all = {.ifc_len = sizeof buffer, .ifc_buf = buffer};
  struct kbentry entry = {1, 2, 3};
  struct input_absinfo axis = {1, 2, 3, 4, 5, 6};
  struct unipair pairs[] = {{0x41, 1}, {0x42, 2}};
  struct unimapdesc map = {2, pairs};
  ioctl(fd, SIOCGIFCONF, &all), spoil(&all, sizeof all), spoil(buffer, sizeof buffer);
  ioctl(fd, BRIDGE_DELETE, name), spoil(name, sizeof name);
  ioctl(fd, KDSKBENT, &entry), spoil(&entry, sizeof entry);
  ioctl(fd, EVIOCGNAME(sizeof text), text);
  ioctl(fd, EVIOCSABS(1), &axis), spoil(&axis, sizeof axis);
  ioctl(fd, PIO_UNIMAP, &map), spoil(&map, sizeof map), spoil(pairs, sizeof pairs);
}

static void rings(void) {
  int fds[] = {0, 1, 2};
  uint32_t workers[] = {5, 6};
  uint64_t tags[] = {0x11, 0x22}, update[] = {7, (uintptr_t)fds}, files[] = {FILES, 0, (uintptr_t)fds, (uintptr_t)tags};
  syscall(SYS_io_uring_register, -1, REGISTER_FILES_UPDATE, update, 3), spoil(update, sizeof update);
  syscall(SYS_io_uring_register, -1, REGISTER_WORKERS, workers, 2), spoil(workers, sizeof workers);
  syscall(SYS_io_uring_register, -1, REGISTER_FILES2, files, sizeof files), spoil(files, sizeof files);
  spoil(fds, sizeof fds), spoil(tags, sizeof tags);
}

// The file of a descriptor that is closed at once.
static void closed_map(void) {
  struct {
    uint32_t type, key_bytes, value_bytes, entries;
  } map = {BPF_MAP_TYPE_ARRAY, 4, 8, 1};
  close(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}

// How a link's attributes go on depends on one of them.
static void links(void) {
  enum { KPROBES = 42, UPROBES = 48 };
  char path[] = "/nonexistent/file", one[] = "one", two[] = "two";
  const char* names[] = {one, two};
  uint64_t offsets[] = {0x10, 0x20}, cookies[] = {0xc0, 0xc1};
  struct {
    uint32_t program, target, type, flags;
    uint64_t path, offsets, references, cookies;
    uint32_t count, more_flags, pid, path_fd;
  } uprobes = {-1, 0, UPROBES, 0, (uintptr_t)path, (uintptr_t)offsets, 0, (uintptr_t)cookies, 2, 0, 1, 0};
  struct {
    uint32_t program, target, type, flags, more_flags, count;
    uint64_t names, addresses, cookies;
  } kprobes = {-1, 0, KPROBES, 0, 0, 2, (uintptr_t)names, 0, (uintptr_t)cookies};
  syscall(SYS_bpf, BPF_LINK_CREATE, &uprobes, sizeof uprobes), spoil(path, sizeof path - 1),
      spoil(offsets, sizeof offsets);
  syscall(SYS_bpf, BPF_LINK_CREATE, &kprobes, sizeof kprobes), spoil(one, 3), spoil(two, 3),
      spoil(cookies, sizeof cookies);
}

int main(void) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  answers_in_place();
  moved_on();
  configurations(fd);
  rings();
  links();
  closed_map();
  poll(NULL, 0, 100);  // a late reader finds the process alive
  return 0;
}
