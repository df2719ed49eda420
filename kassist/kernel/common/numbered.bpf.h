/* Registers by their DWARF numbers. */
#pragma once

#include "kassist/kernel/common/types.h"
#include "kassist/wire/wire.h"

/* One by one: a whole structure would be made on the stack first. */
static __always_inline void number_registers(struct wire_registers *to, struct pt_regs *regs) {
#define NUMBERED(number, name) *(volatile __u64 *)&to->numbered[number] = regs->name
  NUMBERED(0, ax); NUMBERED(1, dx); NUMBERED(2, cx); NUMBERED(3, bx); NUMBERED(4, si); NUMBERED(5, di);
  NUMBERED(6, bp); NUMBERED(7, sp); NUMBERED(8, r8); NUMBERED(9, r9); NUMBERED(10, r10); NUMBERED(11, r11);
  NUMBERED(12, r12); NUMBERED(13, r13); NUMBERED(14, r14); NUMBERED(15, r15); NUMBERED(16, ip);
#undef NUMBERED
}
