// Calls that a filter answers instead of the kernel: structures of io_uring_register, bpf and others, shown in full.
// strut: golden: | -v -X verbose | -X raw | -s 1 | -e verbose=none
// strut: mask: ifindex=(?:\d+ /\* )?if_nametoindex\("[^"]*"\)(?: \*/)?|ifindex=\d+
// strut: also -m32
#include <stdint.h>

#include "golden_answer.h"

static uint32_t *words(size_t offset) { return (uint32_t *)(GOLDEN_PAGE + offset); }

// Small numbers, every fourth word zero, so that 64-bit members hold both small and large values.
static void fill(void) {
  for (unsigned i = 0; i < 4096; i++) words(0)[i] = i % 4 == 3 ? 0 : i % 37 + 1;
}

static void rings(void) {
  for (unsigned op = 0; op < 39; op++) {
    if (op == 31) continue;  // a submission: its members depend on its operation
    BOTH(427, 3, op, GOLDEN_PAGE, 1);
    BOTH(427, 3, op, GOLDEN_PAGE + 64, 0);
    OK(427, 3, op | 0x80000000u, GOLDEN_PAGE + 128, 40);
    FAIL(427, -1, op, (char *)GOLDEN_BAD - 8, 1);
  }
}

static void programs(void) {
  static const uint32_t kTypes[] = {0, 24, 28, 37, 41, 42, 45, 46, 48, 54, 59}, kFlags[] = {0, 8, 0x28, 0x2004};
  for (unsigned command = 0; command < 40; command++) {
    BOTH(SYS_bpf, command, GOLDEN_PAGE, 24);
    OK(SYS_bpf, command, GOLDEN_PAGE + 256, 160);
    FAIL(SYS_bpf, command, (char *)GOLDEN_BAD - 16, 24);
  }
  for (unsigned i = 0; i < sizeof kTypes / sizeof *kTypes; i++)
    for (unsigned j = 0; j < sizeof kFlags / sizeof *kFlags; j++) {
      words(0)[2] = kTypes[i], words(0)[3] = kFlags[j];
      OK(SYS_bpf, 28, GOLDEN_PAGE, 16);
      OK(SYS_bpf, 28, GOLDEN_PAGE, 20);
      OK(SYS_bpf, 28, GOLDEN_PAGE, 64);
    }
}

static void words_of_flags(void) {
  static const unsigned kFlags[] = {0, 0x2000, 0x20001a4, 0x600, 0x54000a00, 0xffffffff};
  for (unsigned i = 0; i < sizeof kFlags / sizeof *kFlags; i++) {
    BOTH(SYS_semget, 1, 2, kFlags[i]);
    BOTH(SYS_msgget, 0, kFlags[i]);
    BOTH(SYS_shmget, 0, 4096, kFlags[i]);
    BOTH(SYS_userfaultfd, kFlags[i]);
    BOTH(SYS_prctl, 50, kFlags[i]);
    BOTH(SYS_prctl, 60, kFlags[i], 0x1f, 0, 0);
    BOTH(SYS_futex, GOLDEN_PAGE, 5, 1, 2, GOLDEN_PAGE + 8, kFlags[i]);
  }
  char *device = golden_put(0x8000, "/dev/x", 7);
  for (unsigned command = 0; command < 0x1200; command += 0x100) OK(SYS_quotactl, command << 8, device, 5, GOLDEN_PAGE);
}

static void sizes(void) {
  for (unsigned bytes = 0; bytes < 80; bytes += 20) {
    words(0)[0] = bytes;
    BOTH(459, 100, GOLDEN_PAGE + 4096, GOLDEN_PAGE, 0);
    BOTH(459, 100, GOLDEN_PAGE + 4096, GOLDEN_PAGE, 1);
    BOTH(457, GOLDEN_PAGE, GOLDEN_PAGE + 512, bytes, 0);
    BOTH(458, GOLDEN_PAGE, GOLDEN_PAGE + 512, bytes, 0);
    BOTH(SYS_rseq, GOLDEN_PAGE + bytes, 40, 0, 1);
    BOTH(SYS_perf_event_open, (char *)GOLDEN_BAD - 40 - bytes, 0, 0, 0, 0);
  }
}

int main(void) {
  answer_begin();
  fill();
  rings();
  programs();
  words_of_flags();
  sizes();
  golden_end();
}
