/* Code that came to be mapped: the dynamic linker says so, and the thread waits until strut has looked. */
#pragma once

#include "kassist/kernel/d_hooks.bpf.h"

/* Wakes strut: the number of each question. */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} linker_news SEC(".maps");

enum {
  D_DEBUG_STATE = 24,          /* r_state of struct r_debug (<link.h>) */
  D_CONSISTENT = 0,            /* RT_CONSISTENT: all that was to be mapped is */
  D_LONGEST_WAIT = 200000000,  /* nanoseconds: strut may have something else to do */
};

struct d_wait {
  __u64 number, until_ns, stack;
};

static __always_inline int is_over(struct d_wait *wait) {
  return *(volatile __u64 *)&control.linker_answered >= wait->number || control.exited || bpf_ktime_get_ns() >= wait->until_ns;
}

static long look_for_answer(void *map, __u32 *key, __u32 *value, struct d_wait *wait) {
  char byte;
  /* Kernels that do not preempt programs let others run in here. */
  bpf_copy_from_user_task(&byte, sizeof(byte), (void *)wait->stack, bpf_get_current_task_btf(), 0);
  return is_over(wait);
}

static long look_on(void *map, __u32 *key, __u32 *value, struct d_wait *wait) {
  bpf_for_each_map_elem(&steps, look_for_answer, wait, 0);
  return is_over(wait);
}

/* Nobody would answer: strut waits for what system() runs, and a command of -c is held otherwise. */
static __always_inline int is_launched(void) {
  __u32 process = bpf_get_current_pid_tgid() >> 32;
  struct task_struct___d *task = (void *)bpf_get_current_task();
  if (BPF_CORE_READ(task, real_parent, tgid) == control.left_out) return 1;
  for (int i = 0; i < D_HELD && control.held[i]; i++)
    if (control.held[i] == process) return 1;
  return 0;
}

/* The cookie is the distance from the function that the linker calls to its struct r_debug. */
SEC("dlang/linker")
int d_hook_linker(struct hit_registers *regs) {
  __u32 state = ~0u;
  if (control.exited || is_strut() || is_launched()) return 0;
  __u64 at = IN(regs, ip) + (__s64)bpf_get_attach_cookie(regs) + D_DEBUG_STATE;
  if (bpf_copy_from_user(&state, sizeof(state), (void *)at) || state != D_CONSISTENT) return 0;
  __u64 number = __sync_fetch_and_add(&control.linker_asked, 1) + 1;
  bpf_ringbuf_output(&linker_news, &number, sizeof(number), BPF_RB_FORCE_WAKEUP);
  if (control.linker_late) { /* strut stands still, as behind a pager: once is enough */
    __sync_fetch_and_add(&control.linker_unheld, 1);
    return 0;
  }
  struct d_wait wait = {number, bpf_ktime_get_ns() + D_LONGEST_WAIT, IN(regs, sp)};
  bpf_for_each_map_elem(&steps, look_on, &wait, 0);
  if (*(volatile __u64 *)&control.linker_answered >= number || control.exited) return 0;
  __sync_fetch_and_add(&control.linker_unheld, 1);
  *(volatile __u32 *)&control.linker_late = 1;
  return 0;
}
