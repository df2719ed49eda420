// Descriptors: duplicating, fcntl(2) by command, locks, offsets, vectors, pipes and copies between files.
// strut: golden: | -v -yy | -X raw -y | -X verbose | -e raw=all | -e verbose=none | -xx -s 5
// strut: golden: -e read=7 -e write=all -s 3 | -N -e trace=%desc | -Z | -e inject=readv,preadv,splice,lseek:retval=4
// strut: mask: \bid: ?\d+
// strut: also -m32
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/uio.h>

#include "golden_answer.h"

enum { F_CREATED = 1028, F_DUPFD_QUERY_ = 1027, CLOSE_RANGE = 436, CACHESTAT = 451, O_BITS = 0x7fffffff };

static void duplicates(void) {
  long fds = room();
  CALL(SYS_pipe, fds);
  CALL(SYS_pipe2, fds + 8, O_NONBLOCK | O_CLOEXEC);
  CALL(SYS_pipe2, fds, -1);
  CALL(SYS_pipe2, BAD, O_DIRECT);
  CALL(SYS_dup, 3);
  CALL(SYS_dup2, 3, 9);
  CALL(SYS_dup2, -1, 9);
  CALL(SYS_dup3, 3, 10, O_CLOEXEC);
  CALL(SYS_dup3, 3, 3, O_CLOEXEC | O_NONBLOCK | 1);
  CALL(SYS_close, 10);
  CALL(SYS_close, 10);
  FAIL(CLOSE_RANGE, 3, -1, 6 | 8);
  CALL(CLOSE_RANGE, 9, 12, 0);
}

static void commands(int fd) {
  CALL(SYS_fcntl, fd, F_GETFD);
  CALL(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC);
  CALL(SYS_fcntl, fd, F_SETFD, FD_CLOEXEC | 6);
  CALL(SYS_fcntl, fd, F_GETFD, 5);
  CALL(SYS_fcntl, fd, F_GETFL);
  CALL(SYS_fcntl, fd, F_SETFL, O_APPEND | O_NONBLOCK);
  FAIL(SYS_fcntl, fd, F_SETFL, O_BITS);
  CALL(SYS_fcntl, fd, F_GETFL);
  CALL(SYS_fcntl, fd, F_DUPFD, 20);
  CALL(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 20);
  CALL(SYS_fcntl, fd, F_GETSIG);
  BOTH(SYS_fcntl, fd, F_SETSIG, SIGRTMIN);
  BOTH(SYS_fcntl, fd, F_GETOWN);
  FAIL(SYS_fcntl, fd, F_SETOWN, -7);
  FAIL(SYS_fcntl, fd, F_SETLEASE, F_WRLCK);
  FAIL(SYS_fcntl, fd, F_SETLEASE, 7);
  BOTH(SYS_fcntl, fd, F_GETLEASE);
  BOTH(SYS_fcntl, fd, F_GETPIPE_SZ);
  FAIL(SYS_fcntl, fd, F_SETPIPE_SZ, 1 << 16);
  BOTH(SYS_fcntl, fd, F_GET_SEALS);
  FAIL(SYS_fcntl, fd, F_ADD_SEALS, -1);
  FAIL(SYS_fcntl, fd, F_NOTIFY, DN_CREATE | DN_MULTISHOT | 0x100);
  FAIL(SYS_fcntl, fd, F_CREATED, 1);
  FAIL(SYS_fcntl, fd, F_DUPFD_QUERY_, 4);
  FAIL(SYS_fcntl, fd, 999, 12);
  long words = WORDS(int, 1, 4711), hint = WORDS(uint64_t, 3);
  BOTH(SYS_fcntl, fd, F_GETOWN_EX, words);
  FAIL(SYS_fcntl, fd, F_SETOWN_EX, words);
  FAIL(SYS_fcntl, fd, F_SETOWN_EX, BAD - 4);
  for (int command = 1035; command <= 1042; command++) {
    BOTH(SYS_fcntl, fd, command, hint);
    FAIL(SYS_fcntl, fd, command, BAD);
  }
}

static void locks(int file) {
  for (short type = F_RDLCK; type <= F_UNLCK + 2; type++) {
    long lock = OBJECT(struct flock, .l_type = type, .l_whence = type, .l_start = 3, .l_len = -1, .l_pid = 12);
    FAIL(SYS_fcntl, file, F_SETLK, lock);
    BOTH(SYS_fcntl, file, F_GETLK, lock);
    BOTH(SYS_fcntl, file, F_OFD_GETLK, lock);
    FAIL(SYS_fcntl, file, F_SETLKW, lock);
    FAIL(SYS_fcntl, file, F_OFD_SETLK, lock);
    FAIL(SYS_fcntl, file, F_OFD_SETLKW, lock);
  }
  long mine = OBJECT(struct flock, .l_type = F_WRLCK, .l_len = 5);
  CALL(SYS_fcntl, file, F_SETLK, mine);
  CALL(SYS_fcntl, file, F_GETLK, mine);
  FAIL(SYS_fcntl, file, F_SETLK, BAD - 8);
  FAIL(SYS_fcntl, file, F_GETLK, 0);
  CALL(SYS_flock, file, 2 | 4);
  CALL(SYS_flock, file, 8);
  FAIL(SYS_flock, file, 0xff);
}

static void offsets(int file) {
  CALL(SYS_lseek, file, 7L, SEEK_SET);
  CALL(SYS_lseek, file, -1L, SEEK_CUR);
  CALL(SYS_lseek, file, -99L, SEEK_END);
  CALL(SYS_lseek, file, 0L, SEEK_DATA);
  CALL(SYS_lseek, file, 0L, 9);
  CALL(SYS_ftruncate, file, 100L);
  FAIL(SYS_ftruncate, file, -1L);
  FAIL(SYS_fallocate, file, 0x13, 4096L, 1L << 20);
  FAIL(SYS_fallocate, file, 0x8080, -1L, -1L);
  FAIL(SYS_sync_file_range, file, 0L, 4096L, 0xf);
#ifdef __x86_64__
  FAIL(SYS_fadvise64, file, 1, -1, 4);
  FAIL(SYS_fadvise64, file, 1, -1, 9);
  FAIL(SYS_readahead, file, 1L << 40, 8192);
#endif
  long range = WORDS(uint64_t, 0, 4096), stat = WORDS(uint64_t, 1, 2, 3, 4, 5);
  BOTH(CACHESTAT, file, range, stat, 0);
  BOTH(CACHESTAT, file, BAD - 8, BAD - 8, 3);
  CALL(SYS_fsync, file);
  CALL(SYS_fdatasync, -1);
  CALL(SYS_syncfs, 77);
}

static void vectors(int file) {
  long text = TEXT("one\ntwo\0three"), into = room();
  long from = put((struct iovec[]){{(void*)text, 4}, {(void*)(text + 4), 0}, {(void*)(text + 4), 9}, {NULL, 0}},
                  4 * sizeof(struct iovec));
  long to =
      put((struct iovec[]){{(void*)into, 5}, {(void*)(into + 64), 60}, {GOLDEN_BAD, 7}}, 3 * sizeof(struct iovec));
  CALL(SYS_writev, file, from, 4);
  CALL(SYS_writev, file, from, 2);
  CALL(SYS_writev, file, BAD - sizeof(struct iovec), 2);
  CALL(SYS_writev, file, 0, 1);
  CALL(SYS_writev, file, from, -1);
  CALL(SYS_pwritev, file, from, 3, 2L, 0);
  CALL(SYS_pwritev2, file, from, 3, -1L, -1L, 1 | 2 | 4 | 8 | 0x10 | 0x8000);
  CALL(SYS_lseek, file, 0L, SEEK_SET);
  CALL(SYS_readv, file, to, 2);
  CALL(SYS_readv, file, to, 3);
  CALL(SYS_readv, -1, to, 3);
  CALL(SYS_preadv, file, to, 1, 3L, 0);
  CALL(SYS_preadv2, file, to, 2, 0L, 0L, 8);
  CALL(SYS_preadv, file, to, 2, -3L, -1L);
#ifdef __x86_64__
  CALL(SYS_pread64, file, into, 20, 1L);
  CALL(SYS_pread64, file, into, 20, 1L << 40);
  CALL(SYS_pwrite64, file, text, 13, 90L);
  CALL(SYS_pwrite64, file, BAD - 3, 13, -2L);
#else
  CALL(SYS_pread64, file, into, 20, 1, 0);
  CALL(SYS_pwrite64, file, text, 13, 90, 1 << 30);
#endif
}

static void copies(int file, int in, int out) {
  long text = TEXT("through the pipe"), offset = WORDS(uint64_t, 2), other = WORDS(uint64_t, 0);
  long vector = put((struct iovec[]){{(void *)text, 16}, {GOLDEN_BAD, 1}}, 2 * sizeof(struct iovec));
  CALL(SYS_vmsplice, out, vector, 1, 8 | 1);
  CALL(SYS_vmsplice, out, vector, 2, 0xf0);
  CALL(SYS_tee, in, out, 16L, 2);
  CALL(SYS_splice, in, 0, file, other, 7L, 1 | 4);
  CALL(SYS_splice, file, offset, out, 0, 4L, 0);
  CALL(SYS_splice, in, BAD, out, BAD, -1L, -1);
  CALL(SYS_sendfile, out, file, offset, 5L);
  CALL(SYS_sendfile, out, file, 0, 5L);
  CALL(SYS_sendfile, out, file, BAD, 5L);
  long twice = WORDS(uint64_t, 1), thrice = WORDS(uint64_t, 50);
  CALL(SYS_copy_file_range, file, twice, file, thrice, 4L, 0);
  CALL(SYS_copy_file_range, file, BAD, -1, 0, -1L, 3);
  CALL(SYS_read, in, room(), 100L);
}

int main(void) {
  answer_begin();
  duplicates();
  int file = CALL(SYS_memfd_create, TEXT("golden"), 3);
  commands(3);
  locks(file);
  offsets(file);
  vectors(file);
  copies(file, 3, 4);
  golden_end();
  return 0;
}
