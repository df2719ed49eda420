/* System calls of followed threads become records. */
#pragma once

#include "kassist/kernel/brake.bpf.h"
#include "kassist/kernel/capture.bpf.h"
#include "kassist/kernel/choice.bpf.h"

enum {
  NR_EXECVE = 59, NR_EXECVEAT = 322,
  SIGKILL_BIT = 1 << 8,
  TASK_EXITING = 4,             /* PF_EXITING of <linux/sched.h> */
  TASK_NO_PROGRAM = 0x00200010, /* PF_KTHREAD and PF_IO_WORKER: they make no calls of their own */
};

static __always_inline int is_followed(struct wire_mark *mark) {
  return mark->state == WIRE_FOLLOWED || mark->state == WIRE_STARTED;
}

/* A launched command is followed from its execve on; what strut itself did before is not its. */
static __always_inline int has_started(struct wire_mark *mark) {
  if (is_followed(mark)) return 1;
  if (mark->state == WIRE_OURSELVES) learn_ourselves();
  if (mark->state != WIRE_STARTING || (mark->nr != NR_EXECVE && mark->nr != NR_EXECVEAT)) return 0;
  mark->state = WIRE_STARTED;
  return 1;
}

/* As send(), verified once. */
__noinline int send_record(struct scratch *scratch, struct wire_mark *mark, int kind) {
  if (!scratch || !mark) return 0;
  return send(scratch, mark, kind);
}

/* Reports that the current thread is in a call: what it was called with, read now. 0: it found no room. */
__noinline int announce(struct wire_mark *mark, int kind) {
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch || !mark) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  begin(scratch, task, mark);
  scratch->record.at_ns = mark->entered_ns;
  read_registers(&scratch->record, regs, mark->abi);
  scratch->record.regs[WIRE_RESULT] = 0;
  if (kind == WIRE_ENTER) run_plan(scratch, mark, AT_ENTER);
  int missed = scratch->record.flags & WIRE_MISSED, sent = send_record(scratch, mark, kind);
  if (sent && kind == WIRE_ENTER) {
    mark->in_call = WIRE_ANNOUNCED;
    mark->missed = missed != 0;
  }
  return sent;
}

/* A thread's CPU time, exact at any moment: what the scheduler has booked, and what has passed since it booked last. */
static __always_inline __u64 cpu_time(struct task_struct *task, __u64 now_ns) {
  return task->se.sum_exec_runtime + now_ns - task->se.exec_start;
}

SEC("tp_btf/sys_enter")
int BPF_PROG(sys_enter, struct pt_regs *regs, long id) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark) return 0;
  __u8 abi = abi_of(task, id), before = mark->abi, changed = abi != before;
  mark->abi = abi;
  mark->nr = abi == ABI_X32 ? id & ~X32_BIT : id;
  mark->in_call = WIRE_PASSED;
  int starts = mark->state == WIRE_STARTING; /* user space must know how that goes */
  if (!has_started(mark)) return 0;
  const struct wire_plan *plan = plan_of(mark, regs);
  int wanted = starts || !plan || (plan->flags & WIRE_PLAN_WANTED);
  if (!wanted && !changed) return 0;
  mark->entered_ns = bpf_ktime_get_ns();
  if (!wanted) {
    if (!announce(mark, WIRE_ABI)) mark->abi = before; /* the next call tells it */
    return 0;
  }
  if (measure_system_time) mark->cpu_ns = cpu_time(task, mark->entered_ns);
  mark->in_call = WIRE_INSIDE;
  if (!plan || (plan->flags & WIRE_PLAN_AT_ENTER)) announce(mark, WIRE_ENTER);
  return 0;
}

/* Whoever watches a thread sees the call that it sleeps in; one that was only put aside may be long, too. */
SEC("tp_btf/sched_switch")
int BPF_PROG(switched, int preempted, struct task_struct *before) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, before, 0, 0);
  if (mark && mark->in_call == WIRE_INSIDE) announce(mark, WIRE_ENTER);
  return 0;
}

/* The process is being killed: its thread never sees this result, and a tracer would not. */
static __always_inline void mark_if_dying(struct wire_record *record, struct task_struct *task) {
  if (task->pending.signal.sig[0] & SIGKILL_BIT) record->flags |= WIRE_DYING;
}

/* A return without an entry: seccomp denied the call before sys_enter was reached, or answered it. Its number and
 * arguments still stand in the registers. 0: it is not wanted. */
static __always_inline int enter_late(struct task_struct *task, struct wire_mark *mark, struct pt_regs *regs) {
  if (!is_followed(mark)) return 0;
  long id = (int)regs->orig_ax;
  mark->abi = abi_of(task, id);
  mark->nr = mark->abi == ABI_X32 ? id & ~X32_BIT : id;
  mark->entered_ns = bpf_ktime_get_ns();
  if (measure_system_time) mark->cpu_ns = cpu_time(task, mark->entered_ns);
  const struct wire_plan *plan = plan_of(mark, regs);
  return !plan || (plan->flags & WIRE_PLAN_WANTED);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(sys_exit, struct pt_regs *regs, long result) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark) return 0;
  __u8 in_call = mark->in_call;
  mark->in_call = WIRE_OUTSIDE;
  if (in_call == WIRE_PASSED) {
    if (choice.by & WIRE_BY_UID) look_at_user(task, mark);
    return 0;
  }
  if (in_call == WIRE_OUTSIDE && !enter_late(task, mark, regs)) return 0;
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch) return 0;
  begin(scratch, task, mark);
  struct wire_record *record = &scratch->record;
  record->at_ns = bpf_ktime_get_ns();
  if (measure_system_time) record->system_ns = cpu_time(task, record->at_ns) - mark->cpu_ns;
  read_registers(record, regs, mark->abi);
  record->regs[WIRE_RESULT] = mark->abi == ABI_I386 ? (int)result : result;
  mark_if_dying(record, task);
  int whole = in_call != WIRE_ANNOUNCED;
  if (!whole) record->flags |= WIRE_AMID;
  int gone = whole && result == 0 && (mark->nr == NR_EXECVE || mark->nr == NR_EXECVEAT);
  if (gone) record->flags |= WIRE_GONE;
  /* What was not present when the call was entered may be now: the call itself read it. */
  run_plan(scratch, mark, (whole && !gone) || mark->missed ? AT_ENTER | AT_EXIT : AT_EXIT);
  mark->missed = 0;
  send_record(scratch, mark, whole ? WIRE_CALL : WIRE_EXIT);
  if (scratch->fill >= pressure.ask_bytes) brake(mark, scratch->fill, result);
  return 0;
}
