/* Threads that live already become followed ones. Run by the reader of the iterator's file: no thread is stopped. */
#pragma once

#include "kassist/kernel/common/numbered.bpf.h"
#include "kassist/kernel/syscalls/calls.bpf.h"

enum {
  TASK_STANDS = 4 | 8,          /* __TASK_STOPPED, __TASK_TRACED: outside of calls */
  TASK_STOPPED = 4,
  STOP_SIGNAL = 0xffff,         /* JOBCTL_STOP_SIGMASK of <linux/sched/jobctl.h> */
};

static __always_inline int is_asked_for(struct task_struct *task) {
  __u32 tid = tid_of(task), tgid = tgid_of(task);
  if (choice.system_wide) return !bpf_map_lookup_elem(&seeds, &tgid) && fits(task);
  if (!may_see(task)) return 0;
  if (bpf_map_lookup_elem(&seeds, &tid)) return 1;
  __u32 *extent = bpf_map_lookup_elem(&seeds, &tgid);
  return extent && *extent == WIRE_SEED_PROCESS;
}

/* A thread that sleeps stands where its system call or exception left user space; of one that runs nothing is known. */
static __always_inline void look_at_call(struct wire_seed *seed, struct task_struct *task) {
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  long id = (int)regs->orig_ax;
  if (task->__state == 0 || (task->__state & TASK_STANDS) || id == -1) return;
  seed->abi = abi_of(task, id);
  seed->nr = seed->abi == ABI_X32 ? id & ~X32_BIT : id;
  seed->ip = regs->ip;
  read_arguments(seed->regs, regs, seed->abi);
  seed->regs[WIRE_SP] = regs->sp;
  if (stack_bytes) number_registers(&seed->registers, regs);
}

/* In a system-wide trace, of a thread that is not to be followed now. */
static __always_inline void set_apart(struct task_struct *task) {
  __u32 tgid = tgid_of(task);
  __u32 *extent = bpf_map_lookup_elem(&seeds, &tgid);
  struct wire_mark *mark = made_mark(task);
  if (!mark) return;
  mark->state = extent ? WIRE_EXEMPT : WIRE_APART;
  mark->in_call = WIRE_PASSED;
}

SEC("iter/task")
int seed(struct bpf_iter__task *context) {
  struct task_struct *task = context->task;
  if (!task || (task->flags & TASK_NO_PROGRAM) || (task->flags & TASK_EXITING)) return 0;
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (mark && mark->state != 0) return 0;
  if (!is_asked_for(task)) {
    if (choice.system_wide) set_apart(task);
    return 0;
  }
  struct wire_seed seed = {.tgid = tgid_of(task), .tid = tid_of(task), .nr = WIRE_NO_CALL};
  bpf_core_read(seed.comm, sizeof(seed.comm), &task->comm);
  look_at_call(&seed, task);
  if (task->__state & TASK_STOPPED) seed.stopped_by = task->jobctl & STOP_SIGNAL;
  if (!mark) mark = made_mark(task);
  seed.unmarked = !mark;
  /* Without room the kernel returns to the same thread: its mark still has no state. */
  if (bpf_seq_write(context->meta->seq, &seed, sizeof(seed)) || !mark) return 0;
  mark->abi = seed.abi;
  mark->nr = seed.nr;
  mark->in_call = seed.nr == WIRE_NO_CALL ? WIRE_PASSED : WIRE_ANNOUNCED;
  mark->state = WIRE_FOLLOWED;
  return 0;
}
