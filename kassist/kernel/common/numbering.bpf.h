/* Ids of processes and threads, as strut's own pid namespace has them: those are what user space passes and expects. */
#pragma once

#include "kassist/kernel/common/caller.bpf.h"

struct pid_namespace___numbering {
  struct ns_common___caller ns;
} RELOCATED;

enum { NESTED_PID_NAMESPACES = 33 }; /* MAX_PID_NS_LEVEL of <linux/pid_namespace.h>, and the first one */
/* The id of what is not in strut's namespace. Not 0: that is the tracer, the brake or the lone thread where there is none. */
#define NO_NUMBER (~0u)

/* The number of a struct pid, or NO_NUMBER. A process has a number in the namespace that it was
 * made in and in all around that, the last of `numbers` is the innermost's. Not asked in the machine's first namespace:
 * there the verifier drops all of this. */
__noinline __u32 number_in_namespace(__u64 pid) {
  if (!caller.pid_namespace || !pid) return NO_NUMBER;
  __u32 level = BPF_CORE_READ((struct pid *)pid, level);
  for (int i = 0; i < NESTED_PID_NAMESPACES; i++) {
    struct upid *number =
        (struct upid *)(pid + bpf_core_field_offset(struct pid, numbers) + level * bpf_core_type_size(struct upid));
    struct pid_namespace___numbering *space = (void *)BPF_CORE_READ(number, ns);
    if (BPF_CORE_READ(space, ns.inum) == caller.pid_namespace) return BPF_CORE_READ(number, nr);
    if (level-- == 0) break;
  }
  return NO_NUMBER;
}

/* For any task, whether the verifier knows its type or not. */
static __always_inline __u32 number_of_task(const void *address) {
  struct task_struct *task = (struct task_struct *)address;
  return number_in_namespace((__u64)BPF_CORE_READ(task, thread_pid));
}
static __always_inline __u32 number_of_process(const void *address) {
  struct task_struct *task = (struct task_struct *)address;
  return number_of_task(BPF_CORE_READ(task, group_leader));
}

/* For a task whose type the verifier knows. */
static __always_inline __u32 tid_of(struct task_struct *task) {
  return caller.pid_namespace ? number_of_task(task) : (__u32)task->pid;
}
static __always_inline __u32 tgid_of(struct task_struct *task) {
  return caller.pid_namespace ? number_of_process(task) : (__u32)task->tgid;
}

/* For another task. */
static __always_inline __u32 tid_of_other(const void *address) {
  struct task_struct *task = (struct task_struct *)address;
  return caller.pid_namespace ? number_of_task(task) : (__u32)BPF_CORE_READ(task, pid);
}
static __always_inline __u32 tgid_of_other(const void *address) {
  struct task_struct *task = (struct task_struct *)address;
  return caller.pid_namespace ? number_of_process(task) : (__u32)BPF_CORE_READ(task, tgid);
}

/* For the current task. */
static __always_inline __u32 own_tid(void) {
  return caller.pid_namespace ? number_of_task((void *)bpf_get_current_task()) : (__u32)bpf_get_current_pid_tgid();
}
static __always_inline __u32 own_tgid(void) {
  return caller.pid_namespace ? number_of_process((void *)bpf_get_current_task()) : bpf_get_current_pid_tgid() >> 32;
}

/* As wait(2) and siginfo_t say it: 0 for one from outside. */
static __always_inline __u32 visible_number(__u32 number) { return number == NO_NUMBER ? 0 : number; }

/* Whether the caller may see the task's actions. Processes outside of strut's pid namespace have no ids for it. */
static __always_inline int may_see(const void *task) {
  if (caller.pid_namespace && number_of_task(task) == NO_NUMBER) return 0;
  return !caller.is_restricted || is_accessible((__u64)task);
}
