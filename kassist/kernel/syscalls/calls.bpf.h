/* The hooks of system calls: which calls of followed threads are reported. */
#pragma once

#include "kassist/kernel/common/choice.bpf.h"
#include "kassist/kernel/syscalls/events.bpf.h"
#include "kassist/kernel/syscalls/lane.bpf.h"

enum {
  TASK_EXITING = 4,             /* PF_EXITING of <linux/sched.h> */
  TASK_NO_PROGRAM = 0x00200010, /* PF_KTHREAD and PF_IO_WORKER: they make no calls of their own */
};

/* A launched command is followed from its execve on; strut's own calls before are not part of it. */
static __always_inline int has_started(struct wire_mark *mark) {
  if (is_followed(mark)) return 1;
  if ((around || stack_bytes) && mark->state == WIRE_OURSELVES) learn_ourselves();
  if (mark->state != WIRE_STARTING || !replaces_program(mark->abi, mark->nr)) return 0;
  mark->state = WIRE_STARTED;
  return 1;
}

/* Whether a string argument of the current call begins in memory that the call fills in: readlink(2) of a path into
 * its own place. */
static __always_inline int overlaps(struct pt_regs *regs, const struct wire_plan *plan) {
  __u64 filled = plan->filled;
  __u8 pairs = plan->overlaps;
  return ((pairs & WIRE_TEXT_1_IN_2) && regs->si - regs->dx < (filled ? filled : regs->r10)) ||
         ((pairs & WIRE_TEXT_0_IN_1) && regs->di - regs->si < (filled ? filled : regs->dx)) ||
         ((pairs & WIRE_TEXT_0_IN_2) && regs->di - regs->dx < (filled ? filled : regs->r10)) ||
         ((pairs & WIRE_TEXT_1_IN_3) && regs->si - regs->r10 < (filled ? filled : regs->r8)) ||
         ((pairs & WIRE_TEXT_1_IN_4) && regs->si - regs->r8 < (filled ? filled : regs->r9));
}

static __always_inline int is_announced(struct pt_regs *regs, const struct wire_plan *plan) {
  return (plan->flags & WIRE_PLAN_AT_ENTER) || ((plan->flags & WIRE_PLAN_OVERLAPS) && overlaps(regs, plan));
}

/* A thread enters call `id`. */
static __always_inline void entered(struct task_struct *task, struct pt_regs *regs, struct wire_mark *mark, long id) {
  __u8 abi = abi_of(task, id), before = mark->abi, changed = abi != before;
  mark->abi = abi;
  mark->nr = abi == ABI_X32 ? id & ~X32_BIT : id;
  mark->in_call = WIRE_PASSED;
  int starts = mark->state == WIRE_STARTING; /* user space must know how that goes */
  if (!has_started(mark)) return;
  note_plan(regs, mark);
  int wanted = starts || (mark->plan.flags & WIRE_PLAN_WANTED);
  if (!wanted && !changed) return;
  mark->entered_ns = moment();
  if (!wanted) {
    if (!announce(mark, WIRE_ABI)) mark->abi = before; /* the next call announces it */
    return;
  }
  if (measure_system_time) mark->cpu_ns = cpu_time(task, mark->entered_ns);
  mark->in_call = WIRE_INSIDE;
  int may_hide = caller.is_restricted && replaces_program(mark->abi, mark->nr); /* the return may be hidden */
  if (may_hide || is_announced(regs, &mark->plan)) announce(mark, WIRE_ENTER);
}

static __always_inline void returned(struct task_struct* task, struct pt_regs* regs, struct wire_mark* mark,
                                     long result) {
  if (mark->in_call == WIRE_PASSED) {
    if (choice.by & WIRE_BY_UID) look_at_user(task, mark);
    if (may_make_code(mark, result)) report_code(mark, result);
  } else if (!is_outside(mark) || enter_late(mark)) {
    if (!report_in_lane(task, regs, mark, result)) report_return(task, regs, mark, result);
  }
  mark->in_call = WIRE_BACK;
}
