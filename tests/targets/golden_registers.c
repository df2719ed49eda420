// Arguments of which the kernel looks at 32 bits, in registers with something in the other half.
// The recorded texts are strut's, found equal to those of strace 6.1: no strace 7.2 was at hand.
// strut: golden: | -X raw | -X verbose
#include "golden_answer.h"

#define WIDE(bits) ((long)(0x1234567800000000ull | (unsigned)(bits)))

int main(void) {
  answer_begin();
  static const int operations[] = {PR_SET_UNALIGN, PR_SET_TSC, PR_SET_MM, PR_SET_FP_MODE, 62 /* PR_SCHED_CORE */};
  for (unsigned i = 0; i < sizeof operations / sizeof *operations; i++) {
    BOTH(SYS_prctl, operations[i], WIDE(0), WIDE(1), WIDE(2), WIDE(3));
    BOTH(SYS_prctl, operations[i], WIDE(1), WIDE(2), WIDE(3), WIDE(4));
    FAIL(SYS_prctl, WIDE(operations[i]), WIDE(-1), WIDE(-1), WIDE(-1), WIDE(-1));
  }
  FAIL(SYS_prctl, PR_SET_PTRACER, WIDE(-1));
  FAIL(SYS_prctl, PR_SET_PTRACER, WIDE(7));
  FAIL(SYS_prctl, PR_SET_SECUREBITS, WIDE(1));
  golden_end();
  return 0;
}
