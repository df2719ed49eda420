/* A process that executes another program is held by the brake before that runs, until strut has looked at it
 * (ptrace(2): PTRACE_O_TRACEEXEC). */
#pragma once

#include "kassist/kernel/common/questions.bpf.h"
#include "kassist/kernel/common/registers.bpf.h"

/* An untraced thread of a process with a followed leader replaces the leader at execve(2): the process stays
 * followed. 0: it has a mark for another purpose, or there is no memory. */
static __always_inline struct wire_mark *mark_of_heir(struct task_struct *task) {
  struct wire_mark *mark = made_mark(task);
  if (mark && mark->state == 0) {
    mark->nr = WIRE_NO_CALL;
    mark->in_call = WIRE_PASSED;
    mark->state = WIRE_HEIR;
  }
  return mark && mark->state == WIRE_HEIR ? mark : 0;
}

/* All links know the process by its first thread: where another one has taken its place, there is nothing armed any
 * more. */
SEC("raw_tp/sched_process_exec")
int at_exec(__u64 *context) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = visible_mark_of(task);
  if (!mark || has_ended() || !(is_followed(mark) || mark->state == WIRE_HEIR) || tgid_of(task) == control.brake.spared)
    return 0;
  __u32 kind = (__u32)context[1] == (__u32)task->pid ? WIRE_ASKS_PROGRAM : WIRE_ASKS_PROGRAM_ANEW;
  __u32 number = ask_about(kind, tgid_of(task));
  if (is_brake_leaving() || !is_brakes(task)) wait_for_answer_in_a_hurry(kind, tgid_of(task), number);
  return 0;
}
