// Futexes, robust lists, rseq, random bytes and small calls on threads.
// strut: golden: | -v | -X raw | -X verbose | -e raw=all | -e verbose=none | -N
// strut: also -m32
#include <linux/futex.h>
#include <stdint.h>

#include "golden_answer.h"

enum { FUTEX_WAITV_CALL = 449, FUTEX_WAKE_CALL = 454, FUTEX_WAIT_CALL, FUTEX_REQUEUE_CALL, RSEQ_SIZE = 32 };
#ifdef __x86_64__
enum { RSEQ = 334, GETRANDOM = SYS_getrandom };
#else
enum { RSEQ = 386, GETRANDOM = SYS_getrandom };
#endif

static void operations(void) {
  long word = WORDS(uint32_t, 5), other = WORDS(uint32_t, 6), soon = WORDS(long, 0, 1000);
  for (int op = 0; op < 15; op++) {
    FAIL(SYS_futex, word, op, 5, soon, other, 0x12345678);
    FAIL(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, 5, 0, 0, -1);
  }
  FAIL(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 5, soon, 0, -1);
  FAIL(SYS_futex, word, FUTEX_WAIT | FUTEX_CLOCK_REALTIME | FUTEX_PRIVATE_FLAG | 0x200, 5, BAD, 0, 0);
  for (unsigned wake = 0; wake < 16; wake++)
    FAIL(SYS_futex, word, FUTEX_WAKE_OP, 1, 2, other, wake << 28 | (wake % 6) << 24 | 0xfff << 12 | wake);
  CALL(SYS_futex, word, FUTEX_WAIT, 4, soon);
  CALL(SYS_futex, word, FUTEX_WAIT_PRIVATE, 5, soon);
  CALL(SYS_futex, word, FUTEX_WAKE, 1);
  CALL(SYS_futex, BAD, FUTEX_WAIT, 4, 0);
}

static void newer_operations(void) {
  long word = WORDS(uint32_t, 5), until = WORDS(uint64_t, 1, 2);
  long waiters = WORDS(uint64_t, 5, word, 2 | 0x80, 6, word, 1ull << 32 | 0x7c);
  FAIL(FUTEX_WAITV_CALL, waiters, 2, 0, until, 1);
  FAIL(FUTEX_WAITV_CALL, waiters, 3, 1, 0, 0);
  FAIL(FUTEX_WAITV_CALL, BAD - 24, 2, 0, BAD, 9);
  FAIL(FUTEX_WAKE_CALL, word, 0xffff, 1, 2 | 0x80);
  FAIL(FUTEX_WAIT_CALL, word, 5, -1, 0x82, until, 1);
  FAIL(FUTEX_REQUEUE_CALL, waiters, 0, 1, 2);
  FAIL(FUTEX_REQUEUE_CALL, BAD, 1, 1, 2);
}

static void threads(void) {
  FAIL(SYS_set_robust_list, GOLDEN_PAGE, 24);
  long head = WORDS(long, 0x1234), length = WORDS(long, 24);
  BOTH(SYS_get_robust_list, 0, head, length);
  OK(SYS_get_robust_list, 0, BAD, BAD);
  FAIL(SYS_set_tid_address, GOLDEN_PAGE);
  long area = WORDS(uint32_t, 1, 2, 0x1000, 0, 3, 0, 0, 0);
  BOTH(RSEQ, area, RSEQ_SIZE, 0, 0x53053053);
  FAIL(RSEQ, area, RSEQ_SIZE, 1 | 4, 0x53053053);
  FAIL(RSEQ, BAD, 32, 0, 0);
  long bytes = put("\0\1random\377\"", 10);
  OK(GETRANDOM, bytes, 0, 1 | 2 | 4);
  FAIL(GETRANDOM, bytes, 10, 8);
  CALL(GETRANDOM, BAD, 10, 1);
  FAIL(SYS_sched_yield);
  long cpu = WORDS(unsigned, 3), node = WORDS(unsigned, 1);
  BOTH(SYS_getcpu, cpu, node, 0);
  OK(SYS_getcpu, BAD, 0, GOLDEN_PAGE);
}

static void scheduling(void) {
  long param = WORDS(int, 7), set = WORDS(unsigned long, 0x15, 0), span = WORDS(long, 0, 4000000);
  for (int policy = 0; policy < 8; policy++) FAIL(SYS_sched_setscheduler, 0, policy, param);
  FAIL(SYS_sched_setscheduler, 0, 0x40000000 | 2, BAD);
  BOTH(SYS_sched_getparam, 0, param);
  FAIL(SYS_sched_setparam, 12, param);
  FAIL(SYS_sched_get_priority_max, 9);
  BOTH(SYS_sched_rr_get_interval, 0, span);
  FAIL(SYS_sched_setaffinity, 0, 16, set);
  FAIL(SYS_sched_setaffinity, 0, 3, set);
  FAIL(SYS_sched_getaffinity, 0, 8, set);
  OK(SYS_sched_getaffinity, 0, 8, set);
  long attr = WORDS(uint64_t, 56 | 6ull << 32, 0x7f, 0x0000000500000003, 1000, 2000, 3000, 0x0000040000000001);
  for (int size = 0; size <= 56; size += 8) FAIL(SYS_sched_setattr, 0, (*(uint32_t *)attr = size, attr), 0);
  *(uint32_t *)attr = 56;
  for (int size = 40; size <= 64; size += 8) BOTH(SYS_sched_getattr, 0, attr, size, size & 1);
  FAIL(SYS_ioprio_get, 1, 5);
  FAIL(SYS_ioprio_set, 3, 5, 2 << 13 | 4);
  FAIL(SYS_ioprio_set, 9, 5, -1);
  FAIL(SYS_getpriority, 2, -7);
  FAIL(SYS_setpriority, 5, 7, -20);
}

int main(void) {
  answer_begin();
  operations();
  newer_operations();
  threads();
  scheduling();
  golden_end();
  return 0;
}
