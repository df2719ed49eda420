/* The hooks of system calls: what of followed threads' calls is to be reported. */
#pragma once

#include "kassist/kernel/report.bpf.h"

enum {
  TASK_EXITING = 4,             /* PF_EXITING of <linux/sched.h> */
  TASK_NO_PROGRAM = 0x00200010, /* PF_KTHREAD and PF_IO_WORKER: they make no calls of their own */
};

/* A launched command is followed from its execve on; what strut itself did before is not its. */
static __always_inline int has_started(struct wire_mark *mark) {
  if (is_followed(mark)) return 1;
  if (mark->state == WIRE_OURSELVES) learn_ourselves();
  if (mark->state != WIRE_STARTING || (mark->nr != NR_EXECVE && mark->nr != NR_EXECVEAT)) return 0;
  mark->state = WIRE_STARTED;
  return 1;
}

SEC("raw_tp/sys_enter")
int sys_enter(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark) return 0;
  long id = context[1];
  __u8 abi = abi_of(task, id), before = mark->abi, changed = abi != before;
  mark->abi = abi;
  mark->nr = abi == ABI_X32 ? id & ~X32_BIT : id;
  mark->in_call = WIRE_PASSED;
  int starts = mark->state == WIRE_STARTING; /* user space must know how that goes */
  if (!has_started(mark)) return 0;
  const struct wire_plan *plan = plan_of(mark);
  int wanted = starts || !plan || (plan->flags & WIRE_PLAN_WANTED);
  if (!wanted && !changed) return 0;
  mark->entered_ns = bpf_ktime_get_ns();
  if (!wanted) {
    mark->told_abi = before;
    leave_to_reporter(context, mark, DUTY_ABI);
    return 0;
  }
  if (measure_system_time) mark->cpu_ns = cpu_time(task, mark->entered_ns);
  mark->in_call = WIRE_INSIDE;
  if (!plan || (plan->flags & WIRE_PLAN_AT_ENTER)) leave_to_reporter(context, mark, DUTY_CALL);
  return 0;
}

/* Whoever watches a thread sees the call that it sleeps in; one that was only put aside may be long, too. The thread that
 * is switched away from is still the current one. */
SEC("raw_tp/sched_switch")
int switched(__u64 *context) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, bpf_get_current_task_btf(), 0, 0);
  if (mark && mark->in_call == WIRE_INSIDE) leave_to_reporter(context, mark, DUTY_CALL);
  return 0;
}

SEC("raw_tp/sys_exit")
int sys_exit(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark) return 0;
  __u8 in_call = mark->in_call;
  mark->in_call = WIRE_OUTSIDE;
  if (in_call == WIRE_PASSED) {
    if (choice.by & WIRE_BY_UID) look_at_user(task, mark);
    if (may_make_code(mark, context[1])) leave_to_reporter(context, mark, DUTY_CODE);
    return 0;
  }
  leave_to_reporter(context, mark, in_call == WIRE_INSIDE      ? DUTY_WHOLE_CALL
                                   : in_call == WIRE_ANNOUNCED ? DUTY_RETURN
                                                               : DUTY_DENIED);
  return 0;
}
