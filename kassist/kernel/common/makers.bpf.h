/* A thread that is about to make a process, or to execute a program: the brake is its tracer before that. */
#pragma once

#include "kassist/kernel/common/births.bpf.h"
#include "kassist/kernel/common/execs.bpf.h"

/* The thread calls a function of the C library that does so. `stack`: readable. */
static __always_inline int at_maker(struct task_struct *task, struct wire_mark *mark, __u64 stack) {
  be_braked_patiently(task, mark, stack);
  return 0;
}

/* The thread does so in another way: now the brake must be quick, since no other thread runs on this CPU. */
SEC("raw_tp/sys_enter")
int before_call(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  __u8 abi = abi_of(task, context[1]);
  __u32 nr = (__u32)context[1] & ~X32_BIT;
  int is_exec = replaces_program(abi, nr);
  if (has_ended() || (!is_exec && !makes_process(regs, abi, nr))) return 0;
  struct wire_mark *mark = visible_mark_of(task);
  if (strangers && !mark && is_exec && task->pid != task->tgid) { /* the leader is typed: lives.bpf.h */
    struct wire_mark *leader = visible_mark_of(task->group_leader);
    if (leader && is_followed(leader)) mark = mark_of_heir(task);
  }
  if (mark && (is_followed(mark) || mark->state == WIRE_HEIR)) be_braked_in_a_hurry(task, mark);
  return 0;
}
