/* A process that a followed one makes is held by the brake before it runs, until strut has armed it: whoever makes it is the brake's tracee
 * by then (ptrace(2): PTRACE_O_TRACEFORK). */
#pragma once

#include "kassist/kernel/common/questions.bpf.h"
#include "kassist/kernel/common/registers.bpf.h"

enum {
  OF_THREAD = 0x00010000, /* CLONE_THREAD of <linux/sched.h> */
  NR_CLONE = 56, NR_FORK = 57, NR_VFORK = 58, NR_CLONE3 = 435,
  NR_FORK_I386 = 2, NR_CLONE_I386 = 120, NR_VFORK_I386 = 190,
};

/* Whether a call makes a process, or may make one. */
static __always_inline int makes_process(struct pt_regs *regs, __u32 nr, int narrow) {
  if (follow_children != WIRE_FOLLOW_CHILDREN) return 0;
  __u64 first = narrow ? (__u32)regs->bx : regs->di, flags = 0;
  if (nr == NR_CLONE3) bpf_probe_read_user(&flags, sizeof(flags), (void *)first);
  else if (nr == (narrow ? NR_CLONE_I386 : NR_CLONE)) flags = first;
  else return narrow ? nr == NR_FORK_I386 || nr == NR_VFORK_I386 : nr == NR_FORK || nr == NR_VFORK;
  return !(flags & OF_THREAD);
}

/* Nobody has run the child yet. What its parent's code is is among the changes that are there by now. */
SEC("raw_tp/sched_process_fork")
int at_birth(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf(), *child = (struct task_struct *)context[1];
  struct wire_mark *mark = visible_mark_of(task);
  __u32 process = BPF_CORE_READ(child, tgid);
  if (!mark || has_ended() || !is_followed(mark) || process == (__u32)task->tgid) return 0;
  __u32 number = ask_about(WIRE_ASKS_BIRTH, process);
  int is_held = BPF_CORE_READ(child, ptrace) && (__u32)BPF_CORE_READ(child, parent, tgid) == pressure.strut;
  if (is_brake_leaving() || !is_held) wait_for_answer_in_a_hurry(WIRE_ASKS_BIRTH, process, number);
  return 0;
}
