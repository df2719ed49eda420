/* The programs, but for the iterator. That which takes the verifier longest is the first: the others are loaded meanwhile. */
#pragma once

#include "kassist/kernel/lives.bpf.h"

/* What the current thread comes to: one program at five hooks, so that what reports is verified once for all of them.
 * Hooks are told apart by what they are called with: sys_exit by the thread's registers, the beginning and the end of a
 * program by the thread itself, signal_deliver by a number, sched_switch by a truth value and the thread.
 * Whoever watches a thread sees the call that it sleeps in; one that was only put aside may be long, too. The thread that
 * is switched away from is still the current one. */
SEC("raw_tp/sys_exit+sched_switch+sched_process_exec+sched_process_exit+signal_deliver")
int threads(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  __u64 first = context[0];
  int is_task = first == (__u64)task, exits = is_task && (task->flags & TASK_EXITING);
  if (!mark) {
    if (exits && strangers) last_of_followed(task);
    else if (is_task && !exits && choice.everybody) born_apart(task, 0); /* a kernel thread becomes a program */
    return 0;
  }
  if (is_task) {
    if (!exits) executed(task, mark, context);
    else if (is_followed(mark)) tell_exit(mark, WIRE_THREAD_EXIT);
  } else if (first > MOST_SIGNALS) {
    returned(task, mark, ((struct pt_regs *)bpf_task_pt_regs(task))->ax);
  } else if (argument_of_hook(context, 1) != (__u64)task) {
    delivered(task, mark, context);
  } else if (mark->in_call == WIRE_INSIDE) {
    announce(mark, WIRE_ENTER);
  }
  return 0;
}

SEC("raw_tp/sys_enter")
int calls(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (mark) entered(task, mark, context[1]);
  return 0;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(births, struct task_struct *parent, struct task_struct *child) {
  born(parent, child);
  return 0;
}

SEC("tp_btf/signal_generate")
int BPF_PROG(signals, int number, struct kernel_siginfo *info, struct task_struct *task, int group, int result) {
  generated(number, info, task, group, result);
  return 0;
}
