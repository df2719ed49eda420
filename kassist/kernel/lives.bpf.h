/* Births, new programs, signals and deaths of followed threads. */
#pragma once

#include "kassist/kernel/calls.bpf.h"

enum {
  SA_IMMUTABLE = 0x00800000, /* <linux/signal_types.h>: the kernel kills, whatever a tracer might say */
  GENERATED_DELIVERED = 0, /* TRACE_SIGNAL_DELIVERED and _IGNORED of <trace/events/signal.h> */
  GENERATED_IGNORED = 1,
  NUMBER_SIGKILL = 9,
};

/* The mark of a thread that has none yet. 0: there is no memory for it; counted. */
static __always_inline struct wire_mark *new_mark(struct task_struct *task) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (!mark) __sync_fetch_and_add(&pressure.unfollowed, 1);
  return mark;
}

/* In a system-wide trace, where the parent is not followed. Before strut reads what is sent, nobody is: those who live then
 * are found by the iterator. */
static __always_inline void born_apart(struct task_struct *child, struct wire_mark *parent) {
  if (pressure.limit_bytes == 0) return;
  __u32 maker = (__u32)(bpf_get_current_pid_tgid() >> 32);
  __u32 *extent = bpf_map_lookup_elem(&seeds, &maker);
  int new_process = extent && *extent == WIRE_SEED_READER && (__u32)child->tgid != maker;
  struct wire_mark *young = new_mark(child);
  if (!young) return;
  young->state = parent && parent->state == WIRE_EXEMPT && !new_process ? WIRE_EXEMPT : WIRE_APART;
  young->nr = WIRE_NO_CALL;
  if (young->state == WIRE_APART && fits(child)) join(child, young);
}

/* The child has not run yet: whatever it does is seen. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(forked, struct task_struct *parent, struct task_struct *child) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, parent, 0, 0);
  if (choice.everybody && (!mark || !is_followed(mark))) {
    if (!(child->flags & TASK_NO_PROGRAM)) born_apart(child, mark);
    return 0;
  }
  if (!mark || !is_followed(mark) || !follow_children) return 0;
  struct wire_mark *young = new_mark(child);
  if (!young) return 0;
  young->state = WIRE_FOLLOWED;
  young->abi = mark->abi;
  young->nr = mark->nr;
  young->in_call = WIRE_PASSED; /* it returns from its parent's clone */
  struct scratch *scratch = begin_event(parent, mark);
  if (!scratch) return 0;
  scratch->record.regs[0] = child->tgid;
  scratch->record.regs[1] = child->pid;
  append_comm(scratch, mark, child);
  send(scratch, mark, WIRE_FORK);
  return 0;
}

SEC("raw_tp/sched_process_exec")
int executed(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark && choice.everybody) born_apart(task, 0); /* a kernel thread becomes a program */
  if (choice.everybody && mark && mark->state == WIRE_APART) look_again(task, mark);
  else if (mark && is_followed(mark)) leave_to_reporter(context, mark, DUTY_EXEC);
  return 0;
}

/* Only a leader that is followed tells of its process's last thread where that is not. Its group_leader is typed, and the
 * verifier takes a millisecond to see that. */
static __always_inline void last_of_followed(struct task_struct *task) {
  if (BPF_CORE_READ(task, signal, live.counter) != 0) return;
  struct wire_mark *mark = bpf_task_storage_get(&marks, task->group_leader, 0, 0);
  if (mark && is_followed(mark)) tell_exit(mark, WIRE_LAST_THREAD);
}

SEC("raw_tp/sched_process_exit")
int exited(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (mark && is_followed(mark)) leave_to_reporter(context, mark, DUTY_EXIT);
  else if (!mark && strangers) last_of_followed(task);
  return 0;
}

SEC("raw_tp/signal_deliver")
int delivered(__u64 *context) {
  int number = context[0];
  struct k_sigaction *action = (struct k_sigaction *)context[2];
  struct wire_mark *mark = bpf_task_storage_get(&marks, bpf_get_current_task_btf(), 0, 0);
  if (!mark || !is_followed(mark) || number == NUMBER_SIGKILL) return 0;
  if (number == NUMBER_SIGSYS) mark->in_call = WIRE_PASSED;
  if (BPF_CORE_READ(action, sa.sa_flags) & SA_IMMUTABLE) return 0;
  leave_to_reporter(context, mark, DUTY_SIGNAL);
  return 0;
}

/* Whom a signal to this thread or its process goes to, as the kernel's complete_signal() chooses. */
static __always_inline __u32 taker_of(struct task_struct *task, int number, int group) {
  int wants = !(task->flags & TASK_EXITING) && !(task->blocked.sig[0] >> ((number - 1) & 63) & 1);
  return !group || wants ? task->pid : BPF_CORE_READ(task, signal, curr_target, pid);
}

/* Runs in the sender, which may be an interrupt. */
SEC("tp_btf/signal_generate")
int BPF_PROG(generated, int number, struct kernel_siginfo *info, struct task_struct *task, int group, int result) {
  struct signal_struct *process = BPF_CORE_READ(task, signal);
  int ends = BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT;
  int fatal = result == GENERATED_DELIVERED && ends && BPF_CORE_READ(process, group_exit_code) == number;
  int ignored = result == GENERATED_IGNORED && !ends && !(task->flags & TASK_EXITING);
  if ((!fatal && !ignored) || number == NUMBER_SIGKILL) return 0;
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark || !is_followed(mark)) return 0;
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  struct wire_record *record = &scratch->record;
  record->tid = taker_of(task, number, group);
  record->regs[0] = number;
  record->regs[1] = fatal ? WIRE_FATAL : WIRE_IGNORED;
  record->regs[2] = mark->in_call;
  record->regs[3] = bpf_get_current_pid_tgid() >> 32;
  record->regs[4] = (__u32)bpf_get_current_uid_gid();
  append_siginfo(scratch, info);
  append_signal_names(scratch, mark, info, 0, record->regs[3]);
  send_aside(scratch, WIRE_GENERATED);
  return 0;
}
