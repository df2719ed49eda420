/* The arguments of a system call, for records. */
#pragma once

#include "kassist/kernel/common/abi.bpf.h"
#include "kassist/kernel/common/maps.bpf.h"

/* One of the arguments that the current thread's call was made with. */
__noinline __u64 argument(__u32 abi, __u32 index) {
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  int narrow = abi == ABI_I386;
  switch (index) {
    case 0: return narrow ? (__u32)regs->bx : regs->di;
    case 1: return narrow ? (__u32)regs->cx : regs->si;
    case 2: return narrow ? (__u32)regs->dx : regs->dx;
    case 3: return narrow ? (__u32)regs->si : regs->r10;
    case 4: return narrow ? (__u32)regs->di : regs->r8;
    case 5: return narrow ? (__u32)regs->bp : regs->r9;
    default: return 0;
  }
}

static __always_inline void read_registers(struct wire_record *record, struct pt_regs *regs, __u8 abi) {
  read_arguments(record->regs, regs, abi);
  record->regs[WIRE_SP] = regs->sp;
  record->ip = regs->ip;
}
