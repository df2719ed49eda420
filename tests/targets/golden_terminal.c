// ioctl(2): terminals, files, blocks, sockets, random numbers, and unknown commands.
// strut: golden: | -v | -X raw | -X verbose -v | -e raw=all | -e verbose=none | -N | -e inject=ioctl:retval=0
// strut: mask: /dev/pts/\d+|<char 136:\d+
// strut: also -m32
#include <fcntl.h>
#include <linux/fs.h>
#include <net/if.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "golden_answer.h"

// The kernel's own: without c_ispeed and c_ospeed.
struct kernel_termios {
  uint32_t iflag, oflag, cflag, lflag;
  uint8_t line, cc[19];
};

static void terminals(void) {
  struct kernel_termios usual = {0x4500, 5, 0xbf,
                                 0x8a3b, 0, {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22}};
  struct kernel_termios all = {-1, -1, -1, -1, 200, {255, 128, 1}};
  for (int i = 0; i < 2; i++) {
    long at = put(i ? &all : &usual, sizeof all);
    BOTH(SYS_ioctl, 0, TCGETS, at);
    FAIL(SYS_ioctl, 0, TCSETS, at);
    FAIL(SYS_ioctl, 0, TCSETSW, at);
    BOTH(SYS_ioctl, 0, TCGETA, at);
    FAIL(SYS_ioctl, 0, TCSETAF, at);
  }
  BOTH(SYS_ioctl, 0, TCGETS, BAD - 8);
  FAIL(SYS_ioctl, 0, TCSETSF, 0);
  long words = WORDS(int, 7, 8, 9, 10), size = WORDS(unsigned short, 24, 80, 640, 480);
  BOTH(SYS_ioctl, 0, TIOCGWINSZ, size);
  BOTH(SYS_ioctl, 0, TIOCSWINSZ, size);
  for (unsigned request = 0x5401; request < 0x5470; request++)
    if (request != TCGETS && request != TCSETS) FAIL(SYS_ioctl, 0, request, words);
  for (unsigned request = 0x540f; request < 0x5460; request++) OK(SYS_ioctl, 0, request, words);
  int terminal = CALL(SYS_openat, AT_FDCWD, TEXT("/dev/ptmx"), O_RDWR | O_NOCTTY, 0);
  CALL(SYS_ioctl, terminal, TIOCSPTLCK, WORDS(int, 0));
  CALL(SYS_ioctl, terminal, TIOCSWINSZ, size);
  CALL(SYS_ioctl, terminal, TIOCGWINSZ, words);
  CALL(SYS_ioctl, terminal, TCGETS, room());
  CALL(SYS_ioctl, terminal, FIONREAD, words);
  CALL(SYS_ioctl, terminal, FIONBIO, WORDS(int, 1));
  CALL(SYS_close, terminal);
  CALL(SYS_ioctl, 77, TCGETS, words);
}

static void files(void) {
  long word = WORDS(int, 0x12345, 0, 0, 0, 0, 0, 0, 0), wide = WORDS(uint64_t, 1, 2, 3, 4, 5, 6, 7, 8);
  static const unsigned requests[] = {FIOCLEX,     FIONCLEX,          FIOASYNC,          FIOQSIZE,
                                      FIBMAP,      FIGETBSZ,          FIFREEZE,          FITHAW,
                                      FICLONE,     FS_IOC_GETFLAGS,   FS_IOC_SETFLAGS,   FS_IOC_GETVERSION,
                                      BLKGETSIZE,  BLKGETSIZE64,      BLKSSZGET,         BLKROGET,
                                      BLKFLSBUF,   BLKDISCARD,        BLKRAGET,          BLKPBSZGET,
                                      BLKZEROOUT,  FS_IOC_FSGETXATTR, FS_IOC_FSSETXATTR, FITRIM,
                                      FICLONERANGE};
  for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++) {
    FAIL(SYS_ioctl, 3, requests[i], i % 2 ? word : wide);
    OK(SYS_ioctl, 3, requests[i], wide);
    FAIL(SYS_ioctl, 3, requests[i], BAD);
    FAIL(SYS_ioctl, 3, requests[i], 0);
  }
}

static void sockets(void) {
  struct ifreq request = {.ifr_name = "eth\"0", .ifr_flags = IFF_UP | IFF_RUNNING};
  request.ifr_addr.sa_family = 2;
  size_t used = golden_used;
  for (unsigned number = 0x8901; number < 0x8950; number++) {
    long at = PUT(request);
    FAIL(SYS_ioctl, 4, number, at);
    OK(SYS_ioctl, 4, number, at);
    golden_used = used;
  }
}

static void numbers(void) {
  static const unsigned unknown[] = {0,
                                     1,
                                     0x1234,
                                     0x12345678,
                                     0xffffffff,
                                     _IOR('z', 200, int),
                                     _IOWR('~', 1, char[100]),
                                     _IO('q', 99),
                                     _IOW(0, 0, long)};
  for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) BOTH(SYS_ioctl, -1, unknown[i], 0x1000 + i);
  static const unsigned others[] = {0x80045200, 0x5206, 0x40045201, 0x4004556e, 0x80086301,
                                    0x5310,     0x4c82, 0x4c05,     0x5393};
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) FAIL(SYS_ioctl, 5, others[i], WORDS(int, 1, 2, 3, 4));
}

int main(void) {
  answer_begin();
  terminals();
  files();
  sockets();
  numbers();
  golden_end();
  return 0;
}
