/* Code that came to be mapped: the dynamic linker says so, and the thread waits until strut has looked. */
#pragma once

#define MAY_SLEEP 1 /* the program is loaded so (kassist/dtrace/program.cpp) */
#include "kassist/kernel/dtrace/hooks.bpf.h"
#include "kassist/kernel/common/arming.bpf.h"
#include "kassist/kernel/common/linker_state.bpf.h"
#include "kassist/kernel/common/waiting.bpf.h"

enum { JOBCTL_TRAP_STOP = 1 << 19 }; /* for task_struct.jobctl */

/* The thread stops before it runs on: strut has requested that (PTRACE_INTERRUPT). */
static __always_inline int is_held(void) {
  struct task_struct___d *task = (void *)bpf_get_current_task();
  return (BPF_CORE_READ(task, jobctl) & JOBCTL_TRAP_STOP) != 0;
}

static __always_inline int is_settled(__u32 number) { return is_answered(number) || control.exited || is_held(); }

static __always_inline int is_over(struct wait *wait) {
  return is_settled(wait->number) || bpf_ktime_get_ns() >= wait->until_ns;
}

/* There would be no reply: strut waits for the children of system(), and a command of -c is stopped by other means
 * while it starts. */
static __always_inline int is_launched(void) {
  __u32 process = own_tgid();
  struct task_struct___d *task = (void *)bpf_get_current_task();
  for (__u32 i = 0; i < D_COMMANDS && control.commands[i]; i++)
    if (control.commands[i] == (process | D_STARTED)) return 0;
  return tgid_of_other(BPF_CORE_READ(task, real_parent)) == control.left_out;
}

/* The cookie is the distance from the function that the linker calls to its struct r_debug. */
SEC("dlang/linker")
int d_hook_linker(struct hit_registers *regs) {
  keep_to_threads_stack();
  if (control.exited || is_left_out() || is_launched()) return 0;
  if (!is_consistent(IN(regs, ip) + (__s64)bpf_get_attach_cookie(regs) + R_DEBUG_STATE)) return 0;
  __u32 number = ask_about(WIRE_ASKS_LIBRARY, own_tgid());
  if (!control.linker_late) { /* else strut stands still, as behind a pager: once is enough */
    wait_patiently(0, number, IN(regs, sp));
    if (is_settled(number)) return 0;
    *(volatile __u32 *)&control.linker_late = 1;
  }
  __sync_fetch_and_add(&control.linker_unheld, 1);
  return 0;
}
