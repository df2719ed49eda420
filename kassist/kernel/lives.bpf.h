/* Births, new programs, signals and deaths of followed threads. */
#pragma once

#include "kassist/kernel/program.bpf.h"
#include "kassist/kernel/calls.bpf.h"

enum {
  SIGNAL_GROUP_EXIT = 4,  /* <linux/sched/signal.h> */
  SA_IMMUTABLE = 0x00800000, /* <linux/signal_types.h>: the kernel kills, whatever a tracer might say */
  GENERATED_DELIVERED = 0, /* TRACE_SIGNAL_DELIVERED and _IGNORED of <trace/events/signal.h> */
  GENERATED_IGNORED = 1,
  NUMBER_SIGKILL = 9, NUMBER_SIGSYS = 31,
};

static __always_inline struct scratch *begin_event(struct task_struct *task, struct wire_mark *mark) {
  struct scratch *scratch = scratch_of_this_cpu();
  if (!scratch) return 0;
  begin(scratch, task, mark);
  scratch->record.at_ns = bpf_ktime_get_ns();
  scratch->record.ip = 0;
  return scratch;
}

/* The mark of a thread that has none yet. 0: there is no memory for it; counted. */
static __always_inline struct wire_mark *new_mark(struct task_struct *task) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (!mark) __sync_fetch_and_add(&pressure.unfollowed, 1);
  return mark;
}

/* In a system-wide trace, where the parent is not followed. */
static __always_inline void born_apart(struct task_struct *child, struct wire_mark *parent) {
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

SEC("tp_btf/sched_process_exec")
int BPF_PROG(executed, struct task_struct *task, int old_pid, struct linux_binprm *binprm) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark && choice.everybody) born_apart(task, 0); /* a kernel thread becomes a program */
  if (mark && mark->state == WIRE_APART) {
    look_again(task, mark);
    return 0;
  }
  if (!mark || !is_followed(mark)) return 0;
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  scratch->record.regs[0] = old_pid;
  if (mark->missed) { /* that memory is gone */
    struct linux_binprm___names *names = (void *)binprm;
    __u64 name = (__u64)BPF_CORE_READ(names, filename);
    append_strings(scratch, mark);
    append_program_name(scratch, mark, name);
    scratch->record.regs[4] = name != (__u64)BPF_CORE_READ(names, interp);
    mark->missed = 0;
  }
  append_comm(scratch, mark, task);
  send(scratch, mark, WIRE_EXEC);
  if (detach_on_exec && mark->state == WIRE_FOLLOWED) {
    mark->state = WIRE_LET_GO;
    mark->in_call = WIRE_PASSED;
  }
  mark->state = mark->state == WIRE_STARTED ? WIRE_FOLLOWED : mark->state;
  if (choice.everybody) look_again(task, mark);
  return 0;
}

/* Another thread calls execve and takes this one's place; its signal_struct says so until that is done. */
static __always_inline int makes_way(struct task_struct *task) {
  struct signal_struct *process = BPF_CORE_READ(task, signal);
  if (BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT) return 0;
  if (bpf_core_field_exists(process->group_exec_task)) return BPF_CORE_READ(process, group_exec_task) != 0;
  struct signal_struct___before *before = (void *)process;
  return BPF_CORE_READ(before, group_exit_task) != 0;
}

/* As wait4(2) tells it. */
static __always_inline int wait_status(struct task_struct *task) {
  struct signal_struct *process = BPF_CORE_READ(task, signal);
  return BPF_CORE_READ(process, flags) & SIGNAL_GROUP_EXIT ? BPF_CORE_READ(process, group_exit_code) : BPF_CORE_READ(task, exit_code);
}

/* Seccomp kills a thread alone without any other hook: the call that it was refused is its last one. */
static __always_inline void enter_last(struct task_struct *task, struct wire_mark *mark) {
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  struct scratch *scratch;
  if (mark->in_call != WIRE_OUTSIDE || !enter_late(task, mark, regs) || !(scratch = begin_event(task, mark))) return;
  read_registers(&scratch->record, regs, mark->abi);
  if (!send(scratch, mark, WIRE_ENTER)) lose_call(scratch, mark);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(exited, struct task_struct *task) {
  int last = BPF_CORE_READ(task, signal, live.counter) == 0;
  __u8 kind = WIRE_THREAD_EXIT;
  struct task_struct *leader = BPF_CORE_READ(task, group_leader);
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark && last) {
    mark = bpf_task_storage_get(&marks, task->group_leader, 0, 0);
    kind = WIRE_LAST_THREAD;
  }
  if (!mark || !is_followed(mark)) return 0;
  if (kind == WIRE_THREAD_EXIT && wait_status(task) == NUMBER_SIGSYS) enter_last(bpf_get_current_task_btf(), mark);
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  int unfinished = mark->in_call == WIRE_INSIDE;
  mark->in_call = WIRE_PASSED; /* it is switched away from once more */
  struct wire_record *record = &scratch->record;
  if (kind == WIRE_LAST_THREAD) record->tid = BPF_CORE_READ(leader, pid);
  else if (unfinished) lose_call(scratch, mark);
  record->regs[0] = last ? WIRE_ENDS_LAST : makes_way(task) ? WIRE_ENDS_FOR_EXEC : WIRE_ENDS_ALONE;
  record->regs[1] = wait_status(leader);
  record->regs[WIRE_RESULT] = wait_status(task);
  send(scratch, mark, kind);
  return 0;
}

static __always_inline void append_siginfo(struct scratch *scratch, struct wire_mark *mark, struct kernel_siginfo *info) {
  struct wire_chunk *chunk = new_chunk(scratch, mark);
  chunk->at = (__u64)info; /* of a missed one: 0 is SEND_SIG_NOINFO, 1 SEND_SIG_PRIV (<linux/sched/signal.h>) */
  chunk->kind = WIRE_SIGINFO;
  chunk->asked = chunk->bytes = sizeof(*info);
  chunk->missed = bpf_probe_read_kernel(chunk + 1, sizeof(*info), info) != 0;
  end_chunk(scratch, sizeof(*info));
}

SEC("tp_btf/signal_deliver")
int BPF_PROG(delivered, int number, struct kernel_siginfo *info, struct k_sigaction *action) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  if (!mark || !is_followed(mark) || number == NUMBER_SIGKILL) return 0;
  if (number == NUMBER_SIGSYS) mark->in_call = WIRE_PASSED;
  if (BPF_CORE_READ(action, sa.sa_flags) & SA_IMMUTABLE) return 0;
  struct scratch *scratch = begin_event(task, mark);
  if (!scratch) return 0;
  scratch->record.regs[0] = number;
  scratch->record.regs[1] = (__u64)BPF_CORE_READ(action, sa.sa_handler);
  append_siginfo(scratch, mark, info);
  append_signal_names(scratch, mark, info, number, 0);
  send(scratch, mark, WIRE_SIGNAL);
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
  append_siginfo(scratch, mark, info);
  append_signal_names(scratch, mark, info, 0, record->regs[3]);
  send_aside(scratch, WIRE_GENERATED);
  return 0;
}
