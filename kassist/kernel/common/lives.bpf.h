/* Births, new programs, signals and deaths of followed threads. */
#pragma once

#include "kassist/kernel/syscalls/calls.bpf.h"

enum {
  SA_IMMUTABLE = 0x00800000, /* <linux/signal_types.h>: the kernel kills, whatever a tracer might say */
  GENERATED_DELIVERED = 0, /* TRACE_SIGNAL_DELIVERED and _IGNORED of <trace/events/signal.h> */
  GENERATED_IGNORED = 1,
  MOST_SIGNALS = 64, /* _NSIG of <asm/signal.h> of the kernel */
};

/* made_mark(), and that there is no memory for it is counted. */
static __always_inline struct wire_mark *new_mark(struct task_struct *task) {
  struct wire_mark *mark = made_mark(task);
  if (!mark) __sync_fetch_and_add(&control.losses.unfollowed, 1);
  return mark;
}

/* In a system-wide trace, where the parent is not followed. Before strut reads records, no process is: the iterator
 * finds those that live then. */
static __always_inline void born_apart(struct task_struct *child, struct wire_mark *parent) {
  if (control.consumer.limit_bytes == 0) return;
  __u32 maker = own_tgid();
  __u32 *extent = bpf_map_lookup_elem(&seeds, &maker);
  int new_process = extent && *extent == WIRE_SEED_READER && tgid_of(child) != maker;
  struct wire_mark *young = new_mark(child);
  if (!young) return;
  young->state = parent && parent->state == WIRE_EXEMPT && !new_process ? WIRE_EXEMPT : WIRE_APART;
  young->nr = WIRE_NO_CALL;
  if (young->state == WIRE_APART && fits(child)) join(child, young);
}

/* The child has not run yet: whatever it does is seen. */
static __always_inline void born(struct task_struct *parent, struct task_struct *child) {
  struct wire_mark *mark = mark_of(parent);
  if (choice.system_wide && (!mark || !is_followed(mark))) {
    if (!(child->flags & TASK_NO_PROGRAM)) born_apart(child, mark);
    return;
  }
  if (!mark || !is_followed(mark) || !follow_children || !may_see(parent)) return;
  if (follow_children == WIRE_FOLLOW_THREADS && child->tgid != parent->tgid) return;
  struct wire_mark *young = new_mark(child);
  if (!young) return;
  control.clock.is_counted = 0;
  young->state = WIRE_FOLLOWED;
  young->abi = mark->abi;
  young->nr = mark->nr;
  young->in_call = WIRE_PASSED; /* the child returns from its parent's clone */
  struct scratch *scratch = begin_event(parent, mark);
  if (!scratch) return;
  scratch->record.birth.process = tgid_of(child);
  scratch->record.birth.thread = tid_of(child);
  append_comm(scratch, mark, child);
  send(scratch, mark, WIRE_FORK);
}

/* The verifier lets a program have only those arguments that all of its hooks have, and one has a single one. */
static __always_inline __u64 argument_of_hook(__u64 *context, int index) {
  __u64 value = 0;
  bpf_probe_read_kernel(&value, sizeof(value), &context[index]);
  return value;
}

/* The changes of a new program, after its report. */
static __always_inline void settle_exec(struct task_struct *task, struct wire_mark *mark) {
  if (detach_on_exec && mark->state == WIRE_FOLLOWED) {
    mark->state = WIRE_LET_GO;
    mark->in_call = WIRE_PASSED;
  }
  if (mark->state == WIRE_STARTED) mark->state = WIRE_FOLLOWED;
  if (choice.system_wide) look_again(task, mark);
}

static __always_inline void executed(struct task_struct *task, struct wire_mark *mark, __u64 *context) {
  if (alone && (int)argument_of_hook(context, 1) != task->pid) {
    control.lone.thread = 0,
    control.lone.registers = WIRE_NO_THREAD; /* another thread has taken the place of one that had ended, and its id */
    return;
  }
  if (mark->state == WIRE_HEIR) mark->state = WIRE_FOLLOWED;
  if (choice.system_wide && mark->state == WIRE_APART) look_again(task, mark);
  else if (is_followed(mark)) {
    report_exec(task, mark, argument_of_hook(context, 1), argument_of_hook(context, 2));
    settle_exec(task, mark);
  }
}

/* Only a followed leader reports its process's last thread where that is not followed. Its group_leader is typed, and
 * the verifier takes a millisecond to see that. */
static __always_inline void last_of_followed(struct task_struct *task) {
  if (BPF_CORE_READ(task, signal, live.counter) != 0) return;
  struct wire_mark *mark = mark_of(task->group_leader);
  if (mark && is_followed(mark)) report_exit(mark, WIRE_LAST_THREAD);
}

static __always_inline void delivered(struct task_struct *task, struct wire_mark *mark, __u64 *context) {
  int number = context[0];
  struct k_sigaction *action = (struct k_sigaction *)argument_of_hook(context, 2);
  if (!is_followed(mark) || number == NUMBER_SIGKILL) return;
  if (number == NUMBER_SIGSYS) mark->in_call = WIRE_PASSED;
  if (BPF_CORE_READ(action, sa.sa_flags) & SA_IMMUTABLE) return;
  report_signal(task, mark, number, argument_of_hook(context, 1), (__u64)action);
}

/* The thread that handles a signal to this thread or its process, as the kernel's complete_signal() chooses. */
static __always_inline __u32 taker_of(struct task_struct *task, int number, int group) {
  __u64 blocks = task->blocked.sig[0] >> ((number - 1) & 63) & 1;
  if (!group || !((task->flags & TASK_EXITING) | blocks)) return tid_of(task);
  return tid_of_other(BPF_CORE_READ(task, signal, curr_target));
}

/* SIG_DFL (0), SIG_IGN (1) or the handler. */
static __always_inline __u64 handler_of(struct task_struct *task, int number) {
  __u64 actions = (__u64)BPF_CORE_READ(task, sighand) + bpf_core_field_offset(struct sighand_struct, action);
  __u64 action = actions + (__u64)((number - 1) & 63) * bpf_core_type_size(struct k_sigaction);
  __u64 handler = 0;
  bpf_probe_read_kernel(&handler, sizeof(handler),
                        (void*)(action + bpf_core_field_offset(struct k_sigaction, sa.sa_handler)));
  return handler;
}

/* Runs in the sender, which may be an interrupt. */
static __always_inline void generated(int number, struct kernel_siginfo* info, struct task_struct* task, int group,
                                      int result) {
  struct signal_struct *process = BPF_CORE_READ(task, signal);
  int ends = BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT;
  int fatal = result == GENERATED_DELIVERED && ends && BPF_CORE_READ(process, group_exit_code) == number;
  int ignored = result == GENERATED_IGNORED && !ends && !(task->flags & TASK_EXITING);
  if ((!fatal && !ignored) || number == NUMBER_SIGKILL) return;
  struct wire_mark *mark = mark_of(task);
  if (!mark || !is_followed(mark) || !may_see(task)) return;
  mark->signalled = 1;
  struct scratch *scratch = begin_event_at(moment_of_another(), task, mark);
  if (!scratch) return;
  struct wire_record *record = &scratch->record;
  record->tid = taker_of(task, number, group);
  /* While it is in a call, it is known where it goes on. */
  if (record->tid == tid_of(task) && !is_outside(mark)) record->ip = ((struct pt_regs *)bpf_task_pt_regs(task))->ip;
  record->signal.number = number;
  record->signal.handler = handler_of(task, number);
  record->signal.fate = fatal ? WIRE_FATAL : WIRE_IGNORED;
  record->signal.in_call = mark->in_call;
  record->signal.sender = visible_number(own_tgid());
  record->signal.sender_uid = (__u32)bpf_get_current_uid_gid();
  append_siginfo(scratch, info);
  append_signal_names(scratch, mark, info, 0, record->signal.sender);
  send_aside(scratch, WIRE_GENERATED);
}
