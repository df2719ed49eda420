/* The ABI that a system call belongs to, and its arguments. */
#pragma once

#include "kassist/kernel/common/types.h"

enum {
  TS_COMPAT = 2,          /* <asm/thread_info.h> of the kernel: a 32-bit entry */
  X32_BIT = 0x40000000,   /* __X32_SYSCALL_BIT */
  ABI_X86_64 = 0, ABI_I386 = 1, ABI_X32 = 2, /* strut::Abi */
};

#include "call_numbers.h"

static __always_inline __u8 abi_of(struct task_struct *task, long nr) {
  if (task->thread_info.status & TS_COMPAT) return ABI_I386;
  return (nr & X32_BIT) && (int)nr != -1 ? ABI_X32 : ABI_X86_64;
}

/* Arguments 0 to 5: the System V ABI of system calls, and that of int 0x80. One question, not one for each: the
 * verifier walks both answers. */
static __always_inline void read_arguments(__u64 *to, struct pt_regs *regs, __u8 abi) {
  if (abi == ABI_I386) {
    to[0] = (__u32)regs->bx;
    to[1] = (__u32)regs->cx;
    to[2] = (__u32)regs->dx;
    to[3] = (__u32)regs->si;
    to[4] = (__u32)regs->di;
    to[5] = (__u32)regs->bp;
  } else {
    to[0] = regs->di;
    to[1] = regs->si;
    to[2] = regs->dx;
    to[3] = regs->r10;
    to[4] = regs->r8;
    to[5] = regs->r9;
  }
}
