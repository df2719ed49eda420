// Calls on paths: flags, modes, times and structures of every shape, answered without being run.
// strut: golden: | -v | -X raw | -X verbose | -X verbose -v | -e raw=all | -e verbose=none | -s 4 | -xx
// strut: also -m32
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "golden_answer.h"

enum { OPENAT2 = 437, FACCESSAT2 = 439, FCHMODAT2 = 452, SETXATTRAT = 463, GETXATTRAT, LISTXATTRAT, REMOVEXATTRAT };
enum { FILE_GETATTR = 468, FILE_SETATTR };

static void opening(long path) {
  BOTH(SYS_open, path, O_RDWR | O_CREAT | O_EXCL | O_SYNC, 0640);
  BOTH(SYS_open, path, 3 | O_DSYNC | 0x40000000, 0640);
  BOTH(SYS_openat, AT_FDCWD, path, O_TMPFILE | O_PATH | O_LARGEFILE, 07777);
  BOTH(SYS_openat, -1, BAD, -1, -1);
  BOTH(SYS_creat, path, 0177777);
  long how = WORDS(uint64_t, O_RDONLY | O_CREAT, 0600, 0x7f, 0, 0x1122);
  long quiet = WORDS(uint64_t, O_WRONLY, 0, 0);
  for (long size = 16; size <= 40; size += 8) FAIL(OPENAT2, AT_FDCWD, path, how, size);
  FAIL(OPENAT2, 3, path, quiet, 24);
  FAIL(OPENAT2, 3, path, BAD - 24, 32);
}

static void attributes(long path) {
  struct stat old = {0};
  struct statfs fs = {.f_type = 0x01021994, .f_bsize = 4096, .f_namelen = 255};
  long stat = PUT(old), statfs = PUT(fs);
  ((struct stat *)stat)->st_mode = S_IFREG | S_ISUID | 0644;
  BOTH(SYS_stat, path, stat);
  BOTH(SYS_lstat, path, BAD - 8);
  OK(SYS_statfs, path, statfs);
  BOTH(SYS_fstatfs, 3, BAD);
  long extended = put(GOLDEN_PAGE + 0x8000, 256);
  for (int bit = 0; bit < 20; bit += 1) {
    uint32_t *words = (uint32_t *)extended;
    words[0] = 1u << bit, words[2] = 0x874, words[7] = S_IFCHR | 0620, words[16] = 7;
    OK(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0xfff, extended);
  }
  FAIL(SYS_statx, -5, path, 0x6000 | 0x80, -1, extended);
  FAIL(SYS_access, path, R_OK | X_OK | 0x40);
  FAIL(FACCESSAT2, AT_FDCWD, path, F_OK, AT_EACCESS | 1);
  FAIL(SYS_chmod, path, -1);
  FAIL(FCHMODAT2, 4, path, 04755, 0x1100 | 2);
  FAIL(SYS_chown, path, -1, 1000);
  FAIL(SYS_fchownat, AT_FDCWD, path, 0, -1, AT_EMPTY_PATH);
  FAIL(SYS_mknod, path, S_IFBLK | 0600, 0x12345);
  FAIL(SYS_mknodat, AT_FDCWD, path, S_IFIFO | 0600, 0x12345);
  FAIL(SYS_truncate, path, -1L);
  long file_attr = WORDS(uint32_t, 0x80000011, 0, 4096, 7, 42, 3, 1, 0);
  for (long size = 16; size <= 32; size += 8) {
    BOTH(FILE_GETATTR, AT_FDCWD, path, file_attr, size, 0);
    FAIL(FILE_SETATTR, AT_FDCWD, path, file_attr, size, 0x1100);
  }
}

static void times(long path) {
  long stamps = WORDS(long, 1700000000, 123456, 0, 0);
  long special = WORDS(long, 1, UTIME_NOW, 2, UTIME_OMIT);
  FAIL(SYS_utime, path, stamps);
  FAIL(SYS_utimes, path, stamps);
  FAIL(SYS_futimesat, AT_FDCWD, path, special);
  FAIL(SYS_utimensat, AT_FDCWD, path, stamps, 0);
  FAIL(SYS_utimensat, 3, 0, special, AT_SYMLINK_NOFOLLOW);
  FAIL(SYS_utimensat, 3, 0, BAD - 2 * (long)sizeof(long), 4);
}

static void names(long path, long other) {
  FAIL(SYS_rename, path, other);
  FAIL(SYS_renameat2, AT_FDCWD, path, 3, other, 7 | 8);
  FAIL(SYS_linkat, AT_FDCWD, path, AT_FDCWD, other, AT_SYMLINK_FOLLOW);
  FAIL(SYS_symlinkat, other, AT_FDCWD, path);
  FAIL(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
  FAIL(SYS_mkdirat, AT_FDCWD, path, 01777);
  BOTH(SYS_readlink, path, other, 4);
  FAIL(SYS_readlinkat, AT_FDCWD, path, BAD, 100);
  FAIL(SYS_setxattr, path, TEXT("user.name"), TEXT("a value\0"), 9, 1);
  FAIL(SYS_setxattr, path, TEXT("user.name"), other, 70000, 4);
  BOTH(SYS_getxattr, path, TEXT("user.name"), other, 0);
  BOTH(SYS_listxattr, path, other, 10);
  FAIL(SYS_removexattr, BAD, BAD);
}

static void attribute_structures(long path) {
  struct {
    uint64_t value;
    uint32_t size, flags;
    uint64_t more;
  } args = {TEXT("content"), 7, 3, 0x1234};
  long at = PUT(args);
  for (long size = 8; size <= 24; size += 8) {
    FAIL(SETXATTRAT, AT_FDCWD, path, 0x1100, TEXT("user.a"), at);
    BOTH(FILE_GETATTR, 3, path, BAD, size, 1);
  }
  BOTH(LISTXATTRAT, AT_FDCWD, path, 1, at, 0);
  FAIL(REMOVEXATTRAT, AT_FDCWD, path, 0x100, TEXT("user.a"));
}

int main(void) {
  answer_begin();
  long path = TEXT("/a \"path\"/\tto\377/it"), other = TEXT("another");
  opening(path);
  attributes(path);
  times(path);
  names(path, other);
  attribute_structures(path);
  golden_end();
  return 0;
}
