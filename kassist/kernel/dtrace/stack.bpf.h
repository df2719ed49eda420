/* User stacks: registers and the bytes from the stack pointer up, for an unwinder outside. */
#pragma once

#include "kassist/kernel/common/area.bpf.h"
#include "kassist/kernel/dtrace/core.bpf.h"
#include "kassist/kernel/dtrace/types.h"

static long note_end(struct task_struct *task, struct vm_area_struct *area, __u64 *end) {
  struct vm_area_struct___d *ours = (void *)area;
  *end = BPF_CORE_READ(ours, vm_end);
  return 0;
}

/* The end of the stack at `sp`, as far as it is known: the first thread's is below its arguments, others end with
 * their mapping. */
static __always_inline __u64 end_of_stack(__u64 sp) {
  struct task_struct___d *task = (void *)bpf_get_current_task();
  __u64 mapped = 0, end = sp + stack_bytes, first = BPF_CORE_READ(task, mm, start_stack);
  find_area(bpf_get_current_task_btf(), sp, note_end, &mapped);
  if (mapped > sp && mapped < end) end = mapped;
  if (first > sp && first < end) end = first;
  return end;
}

/* loop.at: where in the record the copy goes on; loop.first: the address; loop.end: its end. */
static long copy_stack_page(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  struct d_run *run = *holder;
  struct d_loop *loop = &run->loop;
  __u64 bytes = D_PAGE - (loop->first & (D_PAGE - 1));
  if (loop->first >= loop->end) return 1;
  if (bytes > loop->end - loop->first) bytes = loop->end - loop->first;
  asm volatile("" : "+r"(bytes));
  if (bytes > D_PAGE) return 1;
  if (bpf_probe_read_user(&run->record[loop->at & (D_RECORD_AREA - 1)], bytes, (void *)loop->first)) return 1;
  loop->first += bytes;
  loop->at += bytes;
  return 0;
}

enum { D_SLOT_BYTES = 128 }; /* UPROBE_XOL_SLOT_BYTES */

/* Where a thread is, which may run a probed instruction in the kernel's copy of that. */
static __always_inline __u64 user_pc(__u64 ip) {
  struct task_struct___d *task = (void *)bpf_get_current_task();
  if (!bpf_core_field_exists(task->utask)) return ip;
  struct uprobe_task___d *at = BPF_CORE_READ(task, utask);
  __u64 slot = at ? BPF_CORE_READ(at, xol_vaddr) : 0;
  return slot && ip - slot < D_SLOT_BYTES ? BPF_CORE_READ(at, vaddr) + (ip - slot) : ip;
}

/* One by one: a structure of them would be on the stack of the program, of which kernels before 6.13 have 512 bytes in
 * all. */
static __always_inline void put_registers(volatile __u64 *to, struct pt_regs *regs) {
  to[0] = regs->ax, to[1] = regs->dx, to[2] = regs->cx, to[3] = regs->bx;
  to[4] = regs->si, to[5] = regs->di, to[6] = regs->bp, to[7] = regs->sp;
  to[8] = regs->r8, to[9] = regs->r9, to[10] = regs->r10, to[11] = regs->r11;
  to[12] = regs->r12, to[13] = regs->r13, to[14] = regs->r14, to[15] = regs->r15;
  to[16] = user_pc(regs->ip);
}

/* Puts a struct d_stack and the stack at `at` of the record; how many bytes they are. */
__noinline int copy_stack(struct d_run *run, __u32 at) {
  if (!run || run->hook == D_OF_STRUT) return 0; /* strut's own stack is not shown */
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(bpf_get_current_task_btf());
  struct d_stack *stack = (struct d_stack *)&run->record[at & (D_RECORD_AREA - 1)];
  struct d_loop *loop = &run->loop;
  __u64 sp = regs->sp, end = end_of_stack(sp);
  put_registers(stack->regs, regs);
  stack->at = sp;
  stack->end = end;
  loop->at = at + sizeof(*stack);
  loop->first = sp;
  loop->end = end;
  turn(copy_stack_page, run);
  __u64 reached = *(volatile __u64 *)&loop->first;
  stack->bytes = reached - sp;
  stack->whole = reached == end && end != sp + stack_bytes;
  return sizeof(*stack) + ((reached - sp + 7) & ~7ull);
}
