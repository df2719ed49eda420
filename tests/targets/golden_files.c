// Opening, looking and failing: the first calls of any program.
// strut: golden: | -v | -X raw | -X verbose | -e raw=all | -s 4 | -x
// strut: also -m32
#include <fcntl.h>
#include <sys/syscall.h>

#include "golden.h"

int main(void) {
  golden_begin();
  char *name = golden_put(0, "/dev/null", 10);
  int fd = CALL(SYS_openat, AT_FDCWD, name, O_RDWR | O_CLOEXEC, 0);
  CALL(SYS_openat, AT_FDCWD, golden_put(32, "/nonexistent/a\n", 16), O_CREAT | O_EXCL | 0x40000000, 0640);
  CALL(SYS_openat, -100, GOLDEN_BAD, O_WRONLY | O_TRUNC);
  CALL(SYS_openat, 77, NULL, 3);
  CALL(SYS_write, fd, golden_at_end("hello, world\0\001\377", 15), 15);
  CALL(SYS_write, fd, golden_at_end("cut", 3), 9);
  CALL(SYS_write, -1, GOLDEN_BAD, 5);
  CALL(SYS_read, fd, GOLDEN_PAGE, 100);
  CALL(SYS_read, 99, GOLDEN_PAGE, 100);
  CALL(SYS_access, name, R_OK | W_OK | 16);
  CALL(SYS_close, fd);
  golden_end();
  return 0;
}
