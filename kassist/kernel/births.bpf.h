/* Where functions are armed in each followed process by itself: a process that a followed one makes is held by the brake before it
 * runs (ptrace(2): who is traced with PTRACE_O_TRACEFORK), until strut has armed it. */
#pragma once

#include "kassist/kernel/linker.bpf.h"
#include "kassist/kernel/registers.bpf.h"

enum {
  OF_THREAD = 0x00010000, /* CLONE_THREAD of <linux/sched.h> */
  NR_CLONE = 56, NR_FORK = 57, NR_VFORK = 58, NR_CLONE3 = 435,
  LONGEST_NS = 200000000, /* that is waited for the brake where others can run meanwhile */
  NR_FORK_I386 = 2, NR_CLONE_I386 = 120, NR_VFORK_I386 = 190,
};

/* Whether a call makes a process, or may make one. */
static __always_inline int makes_process(struct task_struct *task, struct pt_regs *regs, __u32 nr) {
  int narrow = task->thread_info.status & TS_COMPAT;
  __u64 first = narrow ? (__u32)regs->bx : regs->di, flags = 0;
  if (nr == NR_CLONE3) bpf_probe_read_user(&flags, sizeof(flags), (void *)first);
  else if (nr == (narrow ? NR_CLONE_I386 : NR_CLONE)) flags = first;
  else return narrow ? nr == NR_FORK_I386 || nr == NR_VFORK_I386 : nr == NR_FORK || nr == NR_VFORK;
  return !(flags & OF_THREAD);
}

#if MAY_SLEEP
static long look_for_tracer(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  struct task_struct *task = bpf_get_current_task_btf();
  char byte;
  /* Kernels that do not preempt programs let others run in here. */
  bpf_copy_from_user_task(&byte, sizeof(byte), (void *)wait->number, task, 0);
  return task->ptrace != 0 || bpf_ktime_get_ns() >= wait->until_ns;
}

/* A thread is about to call what makes a process: the brake is its tracer before that, and need not hurry. `stack`: readable. */
__noinline int at_maker(struct wire_mark *mark, __u64 stack) {
  struct task_struct *task = bpf_get_current_task_btf();
  if (!mark || task->ptrace || !pressure.strut) return 0;
  ask_for(task, mark);
  wake_drain(mark);
  struct wait wait = {stack, bpf_ktime_get_ns() + LONGEST_NS};
  for (int i = 0; i < 4; i++) bpf_for_each_map_elem(&steps, look_for_tracer, &wait, 0);
  return 0;
}
#endif

/* The same where a call is made in another way: now the brake must hurry, for nobody else runs on this CPU. */
SEC("raw_tp/sys_enter")
int before_birth(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark || !is_followed(mark) || task->ptrace || !pressure.strut) return 0;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  if (!makes_process(task, regs, (__u32)context[1] & ~X32_BIT)) return 0;
  ask_for(task, mark);
  wake_drain(mark);
  wait_for(0, WAIT_NS);
  return 0;
}

/* `anew`: the process of which all is to be armed again; 0: none. */
static __always_inline __u64 ask_to_arm(__u32 anew) {
  __u64 number = __sync_fetch_and_add(&pressure.linker_asked, 1) + 1;
  __u64 news = (__u64)anew << WIRE_NEWS_ANEW | (__u32)number;
  bpf_ringbuf_output(&linker_news, &news, sizeof(news), BPF_RB_FORCE_WAKEUP);
  return number;
}

__noinline int wait_in_a_hurry(__u64 number) {
  if (!pressure.strut) return 0;
  wait_for(number, WAIT_NS);
  if (*(volatile __u64 *)&pressure.linker_answered < number) __sync_fetch_and_add(&pressure.unheld, 1);
  return 0;
}

/* Nobody has run the child yet. What its parent's code is is among the changes that are there by now. */
SEC("raw_tp/sched_process_fork")
int at_birth(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf(), *child = (struct task_struct *)context[1];
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark || !is_followed(mark) || BPF_CORE_READ(child, tgid) == task->tgid) return 0;
  int is_held = BPF_CORE_READ(child, ptrace) && (__u32)BPF_CORE_READ(child, parent, tgid) == pressure.strut;
  __u64 number = ask_to_arm(0);
  if (!is_held) wait_in_a_hurry(number);
  return 0;
}

/* Links know a process by its first thread, and another has taken that one's place: there is a new one, and none has been in the new
 * program yet. */
SEC("raw_tp/sched_process_exec")
int at_exec(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark || !is_followed(mark) || (__u32)context[1] == (__u32)task->pid) return 0;
  wait_in_a_hurry(ask_to_arm(task->tgid));
  return 0;
}
