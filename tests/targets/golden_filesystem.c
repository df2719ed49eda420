// Directories, extended attributes, states of files and file systems, watches, mounts.
// strut: golden: | -v | -X raw -v | -X verbose | -e raw=all | -e verbose=none | -s 4 -x | -N -y | -yy -e trace=%file,%desc
// strut: golden: -e inject=getdents64,getdents:retval=32 -v | -e trace=%stat,%statfs,close -v
// strut: mask: d_ino=\d+|d_off=\d+|st_ino=\d+|st_dev=(?:makedev\([^)]*\)|0x[0-9a-f]+)(?: /\* [^*]* \*/)?|st_[amc]time(?:_nsec)?=-?\d+(?: /\* [^*]* \*/)?|stx_ino=\d+|st_[ug]id=\d+|inotify:\[\d+\]
// strut: also -m32
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

#include "golden_answer.h"

enum {
  INOTIFY_INIT1 = sizeof(long) == 8 ? SYS_inotify_init1 : 332,
  MOUNT_SETATTR = 442,
  OPEN_TREE = 428,
  MOVE_MOUNT,
  FSOPEN,
  FSCONFIG,
  FSMOUNT,
  FSPICK
};

// Real entries of a directory with files that are made here, and composed ones.
static void directories(void) {
  long name = TEXT("golden-directory"), into = room();
  CALL(SYS_mkdir, name, 0700);
  int fd = CALL(SYS_openat, AT_FDCWD, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  CALL(SYS_getdents64, fd, into, 1024);
  CALL(SYS_getdents64, fd, into, 1024);
  CALL(SYS_lseek, fd, 0, SEEK_SET);
  CALL(SYS_getdents, fd, into, 1024);
  CALL(SYS_getdents64, fd, BAD, 1024);
  CALL(SYS_getdents64, -1, into, 1024);
  CALL(SYS_getdents64, fd, into, 3);
  CALL(SYS_fchmodat, AT_FDCWD, name, 0500);
  CALL(SYS_rmdir, name);
  CALL(SYS_getcwd, BAD, 1);
  OK(SYS_getcwd, TEXT("/here"), 6);
  CALL(SYS_close, fd);
  CALL(SYS_chroot, TEXT("/nonexistent"));
  CALL(SYS_fchdir, 0);
}

static void states(void) {
  static const unsigned modes[] = {S_IFSOCK | 0777, S_IFLNK | 0777, S_IFREG | 07644, S_IFBLK | 0660,
                                   S_IFDIR | 01777, S_IFCHR | 0,    S_IFIFO,         0x1234};
  for (int i = 0; i < 8; i++) {
    long at = room();
    struct stat *state = (struct stat *)at;
    state->st_mode = modes[i], state->st_rdev = 0x12345, state->st_size = 1l << 30, state->st_blksize = 4096,
    state->st_blocks = 8;
    OK(SYS_fstat, i, at);
#ifdef __x86_64__
    OK(SYS_newfstatat, AT_FDCWD, TEXT("name"), at, i % 2 ? AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW : 0x1000 | 0x800 | 1);
#else
    OK(SYS_fstatat64, AT_FDCWD, TEXT("name"), at, 0x900);
    OK(SYS_fstat64, i, at);
#endif
  }
  struct stat *end = (struct stat *)((long)GOLDEN_BAD - 32);
  OK(SYS_fstat, 3, end);
  CALL(SYS_fstat, 3, BAD);
  CALL(SYS_fstat, 0, room());
  static const unsigned long magics[] = {0xef53, 0x01021994, 0x9fa0, 0x62656572, 0x58465342, 0x9123683e, 0x1234567};
  for (int i = 0; i < 7; i++) {
    struct statfs fs = {.f_type = magics[i],
                        .f_bsize = 4096,
                        .f_blocks = 7,
                        .f_bfree = 6,
                        .f_bavail = 5,
                        .f_files = 4,
                        .f_ffree = 3,
                        .f_fsid = {{1, -1}},
                        .f_namelen = 255,
                        .f_frsize = 4096,
                        .f_flags = 0x1fff << i};
    OK(SYS_statfs, TEXT("/"), PUT(fs));
  }
  FAIL(SYS_ustat, 0x801, room());
  FAIL(SYS_sysfs, 1, TEXT("ext4"));
}

static void attributes(void) {
  long path = TEXT("/file"), name = TEXT("user.mime_type"), value = TEXT("text/\0plain\377"), into = room();
  FAIL(SYS_setxattr, path, name, value, 12, XATTR_CREATE);
  FAIL(SYS_lsetxattr, path, name, value, 5, XATTR_REPLACE | 4);
  FAIL(SYS_fsetxattr, 3, name, BAD, 5, 0);
  FAIL(SYS_setxattr, path, TEXT("system.posix_acl_access"), value, 12, 0);
  FAIL(SYS_setxattr, path, TEXT("security.capability"), WORDS(uint32_t, 0x02000001, 0x2400, 0, 0, 0), 20, 0);
  BOTH(SYS_getxattr, path, name, into, 100);
  OK(SYS_lgetxattr, path, name, 0, 0);
  BOTH(SYS_flistxattr, 3, into, 100);
  CALL(SYS_getxattr, path, name, into, 100);
  CALL(SYS_listxattr, path, into, 100);
  FAIL(SYS_fremovexattr, -1, BAD);
}

static void watches(void) {
  int fd = CALL(INOTIFY_INIT1, 0x80800);
  FAIL(INOTIFY_INIT1, 7);
  CALL(SYS_inotify_add_watch, fd, TEXT("."), IN_CREATE | IN_DELETE | IN_ONLYDIR);
  FAIL(SYS_inotify_add_watch, fd, TEXT("."), IN_ALL_EVENTS);
  FAIL(SYS_inotify_add_watch, fd, TEXT("."), -1);
  CALL(SYS_read, fd, room(), 100);
  CALL(SYS_inotify_rm_watch, fd, 1);
  CALL(SYS_close, fd);
  FAIL(SYS_fanotify_init, 0xffff, -1);
  FAIL(SYS_fanotify_init, 4 | 3, O_RDWR | O_CLOEXEC);
#ifdef __x86_64__
  FAIL(SYS_fanotify_mark, 3, 1 | 0x10 | 0x100, 0x4801ffff, AT_FDCWD, TEXT("/"));
#endif
}

static void mounts(void) {
  long source = TEXT("/dev/\"x\""), target = TEXT("/mnt"), type = TEXT("ext4"), options = TEXT("errors=remount-ro,\n");
  FAIL(SYS_mount, source, target, type, MS_RDONLY | MS_NOSUID | MS_RELATIME | MS_LAZYTIME, options);
  FAIL(SYS_mount, source, target, 0, MS_BIND | MS_REC, 0);
  FAIL(SYS_mount, 0, target, 0, 0xc0ed0000 | MS_REMOUNT, BAD);
  FAIL(SYS_mount, BAD, target, BAD, -1, options);
  FAIL(SYS_umount2, target, MNT_FORCE | MNT_DETACH | UMOUNT_NOFOLLOW | 0x10);
  FAIL(SYS_pivot_root, target, source);
  FAIL(OPEN_TREE, AT_FDCWD, target, 1 | O_CLOEXEC | AT_RECURSIVE | 2);
  FAIL(MOVE_MOUNT, 3, target, 4, source, 0x377 | 0x1000);
  FAIL(FSOPEN, type, 1 | 2);
  for (int command = 0; command < 10; command++) FAIL(FSCONFIG, 3, command, type, options, 5);
  FAIL(FSMOUNT, 3, 1, 0x200f | 0x30);
  FAIL(FSPICK, 3, target, 0xf | 0x10);
  FAIL(MOUNT_SETATTR, 3, target, AT_RECURSIVE, WORDS(uint64_t, 0x100001, 0x70, 1 << 18, 9), 32);
  FAIL(MOUNT_SETATTR, 3, target, 0, WORDS(uint64_t, 1, 2, 3, 4, 5), 40);
  FAIL(SYS_swapon, target, 0x8000 | 0x70005);
  FAIL(SYS_swapoff, target);
  FAIL(SYS_quotactl, 0x80000700 | 1, target, 5, room());
  long handle = WORDS(uint32_t, 8, 1, 0x11223344, 0x55667788);
  BOTH(SYS_name_to_handle_at, AT_FDCWD, target, handle, WORDS(int, 22), AT_EMPTY_PATH | AT_SYMLINK_FOLLOW);
  FAIL(SYS_name_to_handle_at, AT_FDCWD, target, BAD, BAD, 0);
  FAIL(SYS_open_by_handle_at, 3, handle, O_RDONLY | O_NOFOLLOW);
}

int main(void) {
  answer_begin();
  directories();
  states();
  attributes();
  watches();
  mounts();
  golden_end();
  return 0;
}
