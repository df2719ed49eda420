/* The brake stops a child of a followed process before it runs, until strut has armed it: the parent is then the
 * brake's tracee (ptrace(2): PTRACE_O_TRACEFORK). */
#pragma once

#include "kassist/kernel/common/questions.bpf.h"
#include "kassist/kernel/common/registers.bpf.h"

enum {
  OF_THREAD = 0x00010000, /* CLONE_THREAD of <linux/sched.h> */
};

/* Whether a call makes a process, or may make one. */
static __always_inline int makes_process(struct pt_regs *regs, __u8 abi, __u32 nr) {
  if (follow_children != WIRE_FOLLOW_CHILDREN) return 0;
  __u64 first = abi == ABI_I386 ? (__u32)regs->bx : regs->di, flags = 0;
  if (makes_process_by_memory(abi, nr)) bpf_probe_read_user(&flags, sizeof(flags), (void *)first);
  else if (makes_process_by_argument(abi, nr)) flags = first;
  else return makes_child(abi, nr);
  return !(flags & OF_THREAD);
}

/* The child has not run yet. Its parent's code is among the changes that have come by now. */
SEC("raw_tp/sched_process_fork")
int at_birth(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf(), *child = (struct task_struct *)context[1];
  struct wire_mark *mark = visible_mark_of(task);
  __u32 process = tgid_of_other(child);
  if (!mark || has_ended() || !is_followed(mark) || process == tgid_of(task)) return 0;
  __u32 number = ask_about(WIRE_ASKS_BIRTH, process);
  int is_held = BPF_CORE_READ(child, ptrace) && tgid_of_other(BPF_CORE_READ(child, parent)) == control.brake.tracer;
  if (is_brake_leaving() || !is_held) wait_for_answer_in_a_hurry(WIRE_ASKS_BIRTH, process, number);
  return 0;
}
