/* The programs, except the iterator. The slowest one to verify comes first: the others are attached meanwhile.
 *
 * A program at several hooks is verified once for all of them. The hooks differ in their arguments. */
#pragma once

#include "kassist/kernel/common/cast.bpf.h"
#include "kassist/kernel/common/lives.bpf.h"

enum { WORK_TRACEPOINT = 2 }; /* SYSCALL_WORK_SYSCALL_TRACEPOINT of <linux/thread_info.h> */

/* At sys_exit the register of the result holds the hook's argument; at sys_enter it holds -ENOSYS until the call is
 * made, and the hook's argument is a number. */
static __always_inline int has_result(struct pt_regs *regs, __u64 value) { return regs->ax == value; }

/* Whether a thread is at sys_exit. After an entered call comes its return. A thread with a returned call enters the
 * next one, unless seccomp or a tracer can answer that before sys_enter. */
static __always_inline int is_leaving(struct task_struct* task, struct pt_regs* regs, struct wire_mark* mark,
                                      __u64 value) {
  if (mark->in_call == WIRE_INSIDE) return 1;
  if (mark->in_call == WIRE_BACK && !(task->thread_info.syscall_work & ~WORK_TRACEPOINT)) return 0;
  return has_result(regs, value);
}

/* Whether these registers belong to the thread of single-thread mode. Each call of any thread comes here. */
static __always_inline int is_lone(__u64 registers) {
  if (registers == control.lone.registers) return 1;
  if (control.lone.registers) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  if (tid_of(task) != control.lone.thread) return 0;
  control.lone.mark.task = (__u64)task;
  control.lone.registers = registers;
  return 1;
}

static __always_inline void at_call(struct task_struct *task, struct wire_mark *mark, __u64 registers, __u64 value) {
  if (control.ended && mark->in_call != WIRE_INSIDE) return;
  struct pt_regs *regs = registers_at(registers);
  if (is_leaving(task, regs, mark, value)) returned(task, regs, mark, value);
  else entered(task, regs, mark, value);
}

/* User space could not count the thread. */
static __always_inline void count_now(struct wire_mark *mark, __u64 registers) {
  mark->registers = registers;
  count_thread(mark, 1);
  __sync_fetch_and_add(&control.marks.uncounted, -1);
}

/* The thread that is switched away from is still the current one. */
static __always_inline void switched(void) {
  struct wire_mark *mark = mark_of(bpf_get_current_task_btf());
  if (mark && mark->in_call == WIRE_INSIDE && !is_hidden(bpf_get_current_task_btf(), mark)) announce(mark, WIRE_ENTER);
}

static __always_inline void at_call_of_many(__u64 registers, __u64 value) {
  if (!may_have_mark(registers)) return;
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = mark_of(task);
  if (!mark) return;
  if (!mark->registers) count_now(mark, registers);
  if (is_hidden(task, mark)) return;
  at_call(task, mark, registers, value);
}

/* The calls of the current thread. sched_switch has a truth value as its first argument, the others have registers:
 * it shows the call that a thread sleeps in; a preempted call may be long, too. Hooks are detached in this order:
 * calls that were in progress at the end are reported at their return, or when their thread sleeps. */
SEC("raw_tp/sys_enter+sched_switch+sys_exit")
int calls(__u64 *context) {
  if (context[0] <= 1)
    switched(); /* the first question: the verifier drops a constant's if no path reaches the other side */
  else if (!alone) at_call_of_many(context[0], context[1]);
  else if (is_lone(context[0])) at_call(lone_task(&control.lone.mark), &control.lone.mark, context[0], context[1]);
  return 0;
}

/* The whole process, not one of its threads alone. */
static __always_inline int is_ending(struct task_struct *task) {
  return BPF_CORE_READ(task, signal, flags) & SIGNAL_GROUP_EXIT;
}

/* Other events of the current thread. The exec and exit hooks have the thread itself as argument, signal_deliver a
 * number. */
SEC("raw_tp/sched_process_exec+sched_process_exit+signal_deliver")
int fates(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  int is_task = context[0] == (__u64)task, exits = is_task && (task->flags & TASK_EXITING);
  if (alone && exits && tid_of(task) == control.lone.thread)
    control.lone.registers = WIRE_NO_THREAD; /* the stack may be another thread's */
  /* Killed, it answers no more: programs that wait for it, and with them the kernel that is to take them out, go on. */
  if (exits && tgid_of(task) == control.tracer && is_ending(task)) control.ended = WIRE_ALL_ENDED;
  if (has_ended()) return 0;
  struct wire_mark *mark = mark_of(task);
  if (!mark) {
    if (exits && strangers) last_of_followed(task);
    else if (is_task && !exits && choice.system_wide) born_apart(task, 0); /* a kernel thread becomes a program */
    return 0;
  }
  int hidden = is_hidden(task, mark);
  if (!is_task) hidden ? (void)0 : delivered(task, mark, context);
  else if (!exits) hidden ? (void)0 : executed(task, mark, context);
  else {
    if (!alone && mark->registers) count_thread(mark, -1);
    if (is_followed(mark)) report_exit(mark, WIRE_THREAD_EXIT);
  }
  return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(births, struct task_struct *parent, struct task_struct *child) {
  if (!has_ended()) born(parent, child);
  return 0;
}

SEC("tp_btf/signal_generate")
int BPF_PROG(signals, int number, struct kernel_siginfo *info, struct task_struct *task, int group, int result) {
  if (!has_ended()) generated(number, info, task, group, result);
  return 0;
}
