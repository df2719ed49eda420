/* The inputs of uprobe programs: registers, and whether a conditional jump would be taken. */
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

/* Arguments 0 to 5 of a function, at its entry: the System V ABI. */
static __always_inline void read_function_arguments(__u64 *to, struct hit_registers *regs) {
  to[0] = IN(regs, di);
  to[1] = IN(regs, si);
  to[2] = IN(regs, dx);
  to[3] = IN(regs, cx);
  to[4] = IN(regs, r8);
  to[5] = IN(regs, r9);
}

/* The first step of each uprobe program. Since 6.13 the kernel gives programs with frames of 64 bytes or more a
 * stack for each CPU, also programs that may be switched away: the next thread that runs the program on that CPU
 * overwrites it, and the kernel crashes (seen on 6.18), or can remove no uprobe until a reboot. A program that
 * contains a tail call, even one that is never made, has its frames on the thread's own stack. */
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
