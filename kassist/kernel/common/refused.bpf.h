/* Threads that seccomp ends for a call: SECCOMP_RET_KILL_THREAD and SECCOMP_MODE_STRICT fire neither sys_enter nor
 * sys_exit, so that the thread's end alone says that it made the call. SECCOMP_RET_KILL_PROCESS, and the end of a
 * process's last thread, is a signal (SIGSYS), and sys_exit fires before. */
#pragma once

enum {
  SIGNAL_GROUP_EXIT = 4, /* <linux/sched/signal.h> */
  NUMBER_SIGKILL = 9,
  NUMBER_SIGSYS = 31,
  SECCOMP_STRICT = 1, /* SECCOMP_MODE_STRICT of <linux/seccomp.h> */
  SECCOMP_DEAD = 3,   /* SECCOMP_MODE_DEAD of kernel/seccomp.c, from Linux 5.17 on */
};

/* Whether seccomp has decided to end the thread. */
static __always_inline int is_condemned(struct task_struct *task) {
  return bpf_core_field_exists(task->seccomp) && BPF_CORE_READ(task, seccomp.mode) == SECCOMP_DEAD;
}

/* Whether the exiting thread was ended by seccomp, alone or by a signal. Before Linux 5.17 that is known of one that
 * ends alone: it has a status of its own, and another thread that ends its process leaves it none. */
static __always_inline int is_refused(struct task_struct *task) {
  if (is_condemned(task)) return 1;
  if (BPF_CORE_READ(task, signal, flags) & SIGNAL_GROUP_EXIT) return 0;
  int status = BPF_CORE_READ(task, exit_code);
  int is_strict = bpf_core_field_exists(task->seccomp) && BPF_CORE_READ(task, seccomp.mode) == SECCOMP_STRICT;
  return status == NUMBER_SIGSYS || (status == NUMBER_SIGKILL && is_strict);
}
