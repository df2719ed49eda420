/* Which ABI a system call belongs to. */
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
