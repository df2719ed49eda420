/* The registers of a process's threads that do not run. Run by the reader of the iterator's file: no thread is stopped.
 */
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kassist/kernel/common/abi.bpf.h"
#include "kassist/kernel/common/numbered.bpf.h"
#include "kassist/wire/caller_wire.h"
#include "kassist/wire/thread_wire.h"

struct task_struct___switches {
  unsigned long nvcsw, nivcsw;
} RELOCATED;

enum {
  THREAD_EXITING = 4,          /* PF_EXITING of <linux/sched.h> */
  THREAD_STOPPED = 4,          /* __TASK_STOPPED of <linux/sched.h> */
  THREAD_STOP_SIGNAL = 0xffff, /* JOBCTL_STOP_SIGMASK of <linux/sched/jobctl.h> */
};

const volatile int wanted_process = 0;
const volatile struct wire_caller caller = {};

#include "kassist/kernel/common/numbering.bpf.h"

SEC("iter/task")
int threads(struct bpf_iter__task *context) {
  struct task_struct *task = context->task;
  if (!task || (int)tgid_of(task) != wanted_process || task->__state == 0 || (task->flags & THREAD_EXITING)) return 0;
  struct pt_regs *regs = (struct pt_regs *)bpf_task_pt_regs(task);
  struct task_struct___switches *switches = (void *)task;
  struct wire_thread thread = {.tid = tid_of(task)};
  thread.switches = BPF_CORE_READ(switches, nvcsw) + BPF_CORE_READ(switches, nivcsw);
  thread.nr = regs->orig_ax;
  thread.abi = abi_of(task, regs->orig_ax);
  if (task->__state & THREAD_STOPPED) thread.stopped_by = task->jobctl & THREAD_STOP_SIGNAL;
  number_registers(&thread.registers, regs);
  bpf_seq_write(context->meta->seq, &thread, sizeof(thread));
  return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
