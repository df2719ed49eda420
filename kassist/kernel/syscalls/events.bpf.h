/* Events of followed threads become records: a function for each kind of event, of the current thread. */
#pragma once

#include "kassist/kernel/common/brake.bpf.h"
#include "kassist/kernel/common/stack.bpf.h"
#include "kassist/kernel/syscalls/capture.bpf.h"
#include "kassist/kernel/syscalls/late.bpf.h"
#include "kassist/kernel/syscalls/program.bpf.h"
#include "kassist/kernel/common/refused.bpf.h"

enum {
  SIGKILL_BIT = 1 << 8,
};

/* -- calls ---------------------------------------------------------------------------------------- */

/* Whether the stack of the current thread's call is that of its entry. */
static __always_inline int stack_at_enter(struct wire_mark* mark) {
  return mark->plan.flags & WIRE_PLAN_STACK_AT_ENTER;
}

/* Reports that the current thread is in a call: its arguments, read now. 0: there was no room. */
__noinline int announce(struct wire_mark *mark, int kind) {
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch || !mark) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  begin(scratch, task, mark);
  scratch->record.at_ns = mark->entered_ns;
  read_registers(&scratch->record, (struct pt_regs *)bpf_task_pt_regs(task), mark->abi);
  scratch->record.regs[WIRE_RESULT] = 0;
  if (kind == WIRE_ENTER) run_at_enter(scratch, mark);
  if (stack_bytes && kind == WIRE_ENTER && mark->state != WIRE_STARTED && stack_at_enter(mark))
    append_stack(scratch, mark);
  int missed = scratch->record.flags & WIRE_MISSED, sent = send(scratch, mark, kind);
  if (sent && kind == WIRE_ENTER) {
    mark->in_call = WIRE_ANNOUNCED;
    mark->missed = missed != 0;
  }
  return sent;
}

/* A thread's CPU time, exact at any time: the time that the scheduler has accounted for, and the time since then. */
static __always_inline __u64 cpu_time(struct task_struct *task, __u64 now_ns) {
  return task->se.sum_exec_runtime + now_ns - task->se.exec_start;
}

/* CPU time that the thread's call has taken. 0: not asked for, or it is in the call since before it was followed. */
static __always_inline __u64 system_time(struct task_struct *task, struct wire_mark *mark, __u64 now_ns) {
  return measure_system_time && mark->cpu_ns ? cpu_time(task, now_ns) - mark->cpu_ns : 0;
}

/* The process is being killed: its thread never sees this result, and a tracer would not. */
static __always_inline void mark_if_dying(struct wire_record *record, struct task_struct *task) {
  if (task->pending.signal.sig[0] & SIGKILL_BIT) record->flags |= WIRE_DYING;
}

/* A return without an entry: seccomp denied the call before sys_enter was reached, or answered it. Its number and
 * arguments still stand in the registers. 0: it is not wanted. */
__noinline int enter_late(struct wire_mark *mark) {
  if (!mark || !is_followed(mark)) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  long id = (int)regs->orig_ax;
  mark->abi = abi_of(task, id);
  mark->nr = mark->abi == ABI_X32 ? id & ~X32_BIT : id;
  mark->entered_ns = moment();
  if (measure_system_time) mark->cpu_ns = cpu_time(task, mark->entered_ns);
  learn_plan(mark);
  return mark->plan.flags & WIRE_PLAN_WANTED;
}

/* The current thread's call returns. Its findings are in the record's flags: WIRE_AMID if its entry was reported. */
static __always_inline void report_return(struct task_struct* task, struct pt_regs* regs, struct wire_mark* mark,
                                        long result) {
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch) return;
  if (may_make_code(mark, result)) report_code(mark, result);
  begin(scratch, task, mark);
  __u8 *flags = &scratch->record.flags;
  if (*flags & WIRE_AMID) learn_plan(mark); /* the thread may have slept since before it was followed */
  struct wire_record *record = &scratch->record;
  record->at_ns = moment();
  record->system_ns = system_time(task, mark, record->at_ns);
  read_registers(record, regs, mark->abi);
  record->regs[WIRE_RESULT] = mark->abi == ABI_I386 ? (int)result : result;
  mark_if_dying(record, task);
  int new_program = result == 0 && replaces_program(mark->abi, mark->nr);
  if (new_program && !(*flags & WIRE_AMID)) *flags |= WIRE_GONE;
  /* Pages that were absent when the call was entered may be present now: the call itself read them. */
  if (!(*(volatile __u8 *)flags & (WIRE_AMID | WIRE_GONE)) || mark->missed) run_at_enter(scratch, mark);
  run_at_exit(scratch, mark);
  mark->missed = mark->signalled = 0;
  if (stack_bytes && (new_program || !stack_at_enter(mark))) append_stack(scratch, mark);
  if (scratch->misses.count && !new_program) read_late(scratch, mark);
  send(scratch, mark, *(volatile __u8 *)flags & WIRE_AMID ? WIRE_EXIT : WIRE_CALL);
  if (scratch->fill >= control.throttle.ask_bytes) brake(mark, scratch->fill, result);
}

/* -- lives ---------------------------------------------------------------------------------------- */

/* The hook has the kernel's own number of the thread before it took its leader's place. That id is given up by now: the
 * mark remembers it from the record of the entry. */
static __always_inline __u32 former_thread(struct task_struct *task, struct wire_mark *mark, int old_pid) {
  if (!caller.pid_namespace) return old_pid;
  return old_pid == task->pid ? tid_of(task) : mark->number;
}

static __always_inline void report_exec(struct task_struct *task, struct wire_mark *mark, int old_pid, __u64 binprm) {
  __u32 former = former_thread(task, mark, old_pid);
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return;
  scratch->record.program.former_thread = former;
  if (mark->missed) append_new_program(scratch, mark, (struct linux_binprm *)binprm);
  mark->missed = 0;
  append_comm(scratch, mark, task);
  scratch->record.program.vdso = vdso_of_program();
  send(scratch, mark, WIRE_EXEC);
  report_program(mark);
}

/* Another thread calls execve and takes this one's place; its signal_struct says so until that is done. */
static __always_inline int makes_way(struct task_struct *task) {
  struct signal_struct *process = BPF_CORE_READ(task, signal);
  if (BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT) return 0;
  if (bpf_core_field_exists(process->group_exec_task)) return BPF_CORE_READ(process, group_exec_task) != 0;
  struct signal_struct___before *before = (void *)process;
  return BPF_CORE_READ(before, group_exit_task) != 0;
}

/* In wait4(2)'s form. */
__noinline int wait_status(__u64 thread) {
  struct task_struct *task = (struct task_struct *)thread;
  struct signal_struct *process = BPF_CORE_READ(task, signal);
  if (BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT) return BPF_CORE_READ(process, group_exit_code);
  return BPF_CORE_READ(task, exit_code);
}

/* The call that it was refused is its last one. */
__noinline int enter_last(struct wire_mark *mark) {
  if (!mark || !is_outside(mark) || !enter_late(mark)) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  read_registers(&scratch->record, (struct pt_regs *)bpf_task_pt_regs(task), mark->abi);
  if (!send(scratch, mark, WIRE_ENTER)) lose_call(scratch, mark);
  return 0;
}

/* The thread exits, or the process's last thread, which is not followed: then this is the leader's mark.
 */
__noinline int report_exit(struct wire_mark *mark, int kind) {
  if (!mark) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  __u32 status = wait_status(bpf_get_current_task());
  int has_returned =
      task->pending.signal.sig[0] >> (NUMBER_SIGSYS - 1) & 1; /* SIGKILL came before the signal of such a call */
  if (kind == WIRE_THREAD_EXIT && !has_returned && is_refused(task)) enter_last(mark);
  if (kind == WIRE_THREAD_EXIT && mark->late) forget_late(tid_of(task));
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  int unfinished = mark->in_call == WIRE_INSIDE;
  mark->in_call = WIRE_PASSED; /* the thread is switched away once more */
  struct wire_record *record = &scratch->record;
  struct task_struct *leader = BPF_CORE_READ(task, group_leader);
  if (kind == WIRE_LAST_THREAD) record->tid = tid_of_other(leader);
  else if (unfinished) lose_call(scratch, mark);
  if (BPF_CORE_READ(task, signal, live.counter) == 0) {
    record->flags |= WIRE_ENDS;
    record->end.how = WIRE_ENDS_LAST;
  } else {
    record->end.how = makes_way(task) ? WIRE_ENDS_FOR_EXEC : WIRE_ENDS_ALONE;
  }
  record->end.leader_status = wait_status((__u64)leader);
  record->end.status = status;
  /* Until then its leader reports the process's exit. */
  if (alone && record->end.how != WIRE_ENDS_ALONE) control.lone.thread = 0;
  send(scratch, mark, kind);
  return 0;
}

/* -- signals -------------------------------------------------------------------------------------- */

/* As the record's first chunk, for which there is room. */
static __always_inline void append_siginfo(struct scratch *scratch, struct kernel_siginfo *info) {
  struct wire_chunk *chunk = (struct wire_chunk *)&scratch->bytes[sizeof(struct wire_record)];
  chunk->at = (__u64)info; /* for a missed one: 0 is SEND_SIG_NOINFO, 1 SEND_SIG_PRIV (<linux/sched/signal.h>) */
  chunk->kind = WIRE_SIGINFO;
  chunk->asked = chunk->bytes = sizeof(*info);
  chunk->missed = bpf_probe_read_kernel(chunk + 1, sizeof(*info), info) != 0;
  end_chunk(scratch, sizeof(*info));
}

/* A signal is delivered. */
static __always_inline void report_signal(struct task_struct *task, struct wire_mark *mark, int number, __u64 information,
                                        __u64 handler) {
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return;
  struct kernel_siginfo *info = (struct kernel_siginfo *)information;
  struct k_sigaction *action = (struct k_sigaction *)handler;
  scratch->record.signal.number = number;
  scratch->record.signal.handler = (__u64)BPF_CORE_READ(action, sa.sa_handler);
  scratch->record.ip = ((struct pt_regs *)bpf_task_pt_regs(task))->ip;
  append_siginfo(scratch, info);
  append_signal_names(scratch, mark, info, number, 0);
  append_stack(scratch, mark);
  send(scratch, mark, WIRE_SIGNAL);
}
