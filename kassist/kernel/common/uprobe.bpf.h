/* What programs of uprobes look at: registers, and whether a conditional jump would be taken. */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

/* The registers that a uprobe's program is given. The verifier wants each of them loaded from its own place in the
 * context, not from an address that the compiler chose before. */
struct hit_registers {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};
#define IN(regs, name)                                                               \
  ({                                                                                 \
    __u64 value;                                                                     \
    asm volatile("%[to] = *(u64 *)(%[from] + %[at])"                                 \
                 : [to] "=r"(value)                                                  \
                 : [from] "r"(regs), [at] "i"(offsetof(struct hit_registers, name))); \
    value;                                                                           \
  })

/* The first thing that each program of a uprobe does. Since 6.13 the kernel gives programs whose frames have 64 bytes
 * or more a stack for each CPU, also those that may be switched away: the next thread that comes to the program on that
 * CPU writes over it, and the kernel goes down (seen on 6.18), or can take no uprobe back until it is booted anew.
 * Where a tail call stands, even one that is never made, frames are on the thread's own stack. */
static __always_inline void keep_to_threads_stack(void) {
  asm volatile(
      "r0 = 0\n"
      "if r0 == 0 goto +1\n"
      "call 12\n" /* bpf_tail_call() */
      :
      :
      : "r0", "r1", "r2", "r3", "r4", "r5");
}

/* If a conditional jump with this condition would be taken (x86/displaced: condition_holds). */
static __always_inline int holds(__u8 condition, __u64 flags) {
  int carry = flags & 1, parity = flags >> 2 & 1, zero = flags >> 6 & 1, sign = flags >> 7 & 1,
      overflow = flags >> 11 & 1;
  int is;
  switch (condition >> 1 & 7) {
    case 0: is = overflow; break;
    case 1: is = carry; break;
    case 2: is = zero; break;
    case 3: is = carry | zero; break;
    case 4: is = sign; break;
    case 5: is = parity; break;
    case 6: is = sign ^ overflow; break;
    default: is = zero | (sign ^ overflow);
  }
  return is != (condition & 1);
}
