// Commands of ioctl(2) with objects of three patterns, answered without being run. A command is asked about with no
// object, with a bad one, and with one that ends where memory ends.
// strut: golden: | -v | -X raw | -X verbose -v | -e verbose=none
#include "golden_answer.h"

// Decoded commands of every type, and some that are not.
static const unsigned commands[] = {
    // <linux/hdreg.h>
    0x301,
    0x302,
    0x307,
    0x30c,
    0x30d,
    0x31a,
    0x31c,
    0x31f,
    0x321,
    0x329,
    0x32d,
    // <linux/fs.h>, <linux/blkpg.h>, <linux/loop.h>
    0x125d,
    0x1260,
    0x1269,
    0x1277,
    0xc0481273,
    0x4c02,
    0x4c04,
    0x4c05,
    0x4c0a,
    0x80111500,
    0x80811501,
    0xc0101502,
    0x801c581f,
    0x401c5820,
    // <linux/seccomp.h>
    0x40082102,
    0x40082104,
    0x40182103,
    0xc0182101,
    0xc0502100,
    // <scsi/sg.h>
    0x2201,
    0x2202,
    0x2203,
    0x2276,
    0x2284,
    0x2286,
    // <linux/perf_event.h>
    0x2400,
    0x2402,
    0x2405,
    0x40082404,
    0x40082406,
    0x80082407,
    0xc008240a,
    // <linux/input.h>
    0x40044581,
    0x400445a0,
    0x40084503,
    0x40084504,
    0x40284504,
    0x40304580,
    0x80044501,
    0x80084502,
    0x80284504,
    0x8040450a,
    0x80404520,
    0x80184541,
    0x401845c1,
    // <linux/kd.h>
    0x4b2f,
    0x4b30,
    0x4b31,
    0x4b32,
    0x4b33,
    0x4b3a,
    0x4b44,
    0x4b45,
    0x4b46,
    0x4b47,
    0x4b48,
    0x4b49,
    0x4b4a,
    0x4b4c,
    0x4b4e,
    0x4b52,
    0x4b62,
    0x4b64,
    0x4b66,
    0x4b67,
    0x4b68,
    0x4b69,
    0x4b6b,
    0x4b6c,
    0x4b6d,
    0x4b72,
    0x4bfa,
    // <linux/random.h>, <asm-generic/ioctls.h>, <linux/watchdog.h>
    0x5206,
    0x40045201,
    0x40085203,
    0x80045200,
    0x5401,
    0x5405,
    0x5413,
    0x5415,
    0x402c542b,
    0x80045704,
    0x80045705,
    0x80285700,
    0xc0045706,
    // <linux/rtc.h>
    0x7001,
    0x4008700c,
    0x40187013,
    0x40187014,
    0x40207012,
    0x40247007,
    0x4028700f,
    0x80047013,
    0x80247009,
    // <linux/sockios.h>
    0x8902,
    0x8904,
    0x890b,
    0x8910,
    0x8912,
    0x8913,
    0x8914,
    0x8915,
    0x8916,
    0x891e,
    0x8923,
    0x8924,
    0x8927,
    0x8930,
    0x8933,
    0x8946,
    0x8970,
    0x8971,
    0x89a0,
    // <linux/eventpoll.h>, <linux/userfaultfd.h>, <linux/nbd.h>, <linux/nsfs.h>, <linux/pidfd.h>
    0x40088a01,
    0x80088a02,
    0x8010aa01,
    0xc018aa06,
    0xc018aa3f,
    0xc020aa00,
    0xc020aa04,
    0xc020aa07,
    0xc028aa03,
    0xab00,
    0xab01,
    0xab03,
    // <linux/lirc.h>, <mtd/mtd-abi.h>, <mtd/ubi-user.h>
    0x40046911,
    0x40046917,
    0x80046900,
    0x80046901,
    0x80046907,
    0x4d13,
    0xc0104d03,
    0xc0104d08,
    0xc0184d15,
    0xc0304d18,
    0x40044f01,
    0x40044f02,
    0x40084f00,
    0x40084f03,
    0x400c6f02,
    0x40104f06,
    0x40186f40,
    0x40986f00,
    0x51106f03,
    0x80044f05,
    0xab0a,
    0xb704,
    0x8008b705,
    0x8010b70a,
    0xc040ff0b,
    0xc058ff0b,
};

static void ascending(unsigned char *at, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) at[i] = i % 4 ? 0 : 1 + i / 4;
}

static void try(unsigned command) {
  long page = (long)GOLDEN_PAGE;
  size_t size = command >> 16 & 0x3fff;
  BOTH(SYS_ioctl, 0, command, 0);
  OK(SYS_ioctl, 0, command, BAD);
  memset(GOLDEN_PAGE, 0, 0x1000);
  OK(SYS_ioctl, 0, command, page);
  ascending((unsigned char *)GOLDEN_PAGE, 0x1000);
  BOTH(SYS_ioctl, 0, command, page);
  memset(GOLDEN_PAGE, 0xff, 0x100);
  OK(SYS_ioctl, 0, command, page);
  ascending((unsigned char *)BAD - 0x100, 0x100);
  if (size > 1) BOTH(SYS_ioctl, 0, command, BAD - (long)size / 2);
}

int main(void) {
  answer_begin();
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) try(commands[i]);
  golden_end();
  return 0;
}
