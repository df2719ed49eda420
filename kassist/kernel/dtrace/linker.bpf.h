/* Code that came to be mapped: the dynamic linker says so, and the thread waits until strut has looked. */
#pragma once

#include "kassist/kernel/common/give_way.bpf.h"
#include "kassist/kernel/dtrace/hooks.bpf.h"

/* struct d_linker_question each; wakes strut. */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} linker_news SEC(".maps");

enum {
  D_DEBUG_STATE = 24,          /* r_state of struct r_debug (<link.h>) */
  D_CONSISTENT = 0,            /* RT_CONSISTENT: all that was to be mapped is */
  JOBCTL_TRAP_STOP = 1 << 19,  /* for task_struct.jobctl */
  D_LONGEST_WAIT = 1000000000, /* nanoseconds: strut may have something else to do */
};

struct d_wait {
  __u64 number, until_ns;
  struct way way;
};

/* The thread stops before it runs on: strut has requested that (PTRACE_INTERRUPT). */
static __always_inline int is_held(void) {
  struct task_struct___d *task = (void *)bpf_get_current_task();
  return (BPF_CORE_READ(task, jobctl) & JOBCTL_TRAP_STOP) != 0;
}

static __always_inline int is_answered(struct d_wait *wait) {
  return *(volatile __u64 *)&control.linker_answered >= wait->number || control.exited || is_held();
}

static __always_inline int is_over(struct d_wait* wait) {
  return is_answered(wait) || bpf_ktime_get_ns() >= wait->until_ns;
}

static long look_for_answer(void *map, __u32 *key, __u32 *value, struct d_wait *wait) {
  give_way(&wait->way);
  return is_over(wait);
}

static long look_on(void *map, __u32 *key, __u32 *value, struct d_wait *wait) {
  bpf_for_each_map_elem(&steps, look_for_answer, wait, 0);
  return is_over(wait);
}

/* There would be no reply: strut waits for the children of system(), and a command of -c is stopped by other means
 * while it starts. */
static __always_inline int is_launched(void) {
  __u32 process = bpf_get_current_pid_tgid() >> 32;
  struct task_struct___d *task = (void *)bpf_get_current_task();
  for (__u32 i = 0; i < D_COMMANDS && control.commands[i]; i++)
    if (control.commands[i] == (process | D_STARTED)) return 0;
  return (__u32)BPF_CORE_READ(task, real_parent, tgid) == control.left_out;
}

/* The cookie is the distance from the function that the linker calls to its struct r_debug. */
SEC("dlang/linker")
int d_hook_linker(struct hit_registers *regs) {
  keep_to_threads_stack();
  __u32 state = ~0u;
  if (control.exited || is_left_out() || is_launched()) return 0;
  __u64 at = IN(regs, ip) + (__s64)bpf_get_attach_cookie(regs) + D_DEBUG_STATE;
  if (bpf_copy_from_user(&state, sizeof(state), (void *)at) || state != D_CONSISTENT) return 0;
  __u64 number = __sync_fetch_and_add(&control.linker_asked, 1) + 1;
  __u64 who = bpf_get_current_pid_tgid();
  struct d_linker_question question = {.number = number, .process = who >> 32, .thread = (__u32)who};
  bpf_ringbuf_output(&linker_news, &question, sizeof(question), BPF_RB_FORCE_WAKEUP);
  if (control.linker_late) { /* strut stands still, as behind a pager: once is enough */
    __sync_fetch_and_add(&control.linker_unheld, 1);
    return 0;
  }
  struct d_wait wait = {number, bpf_ktime_get_ns() + D_LONGEST_WAIT, {0, IN(regs, sp)}};
  bpf_for_each_map_elem(&steps, look_on, &wait, 0);
  if (is_answered(&wait)) return 0;
  __sync_fetch_and_add(&control.linker_unheld, 1);
  *(volatile __u32 *)&control.linker_late = 1;
  return 0;
}
