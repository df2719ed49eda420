/* The dynamic linker says that it has mapped something: the thread waits until that is armed. */
#pragma once

#include "kassist/kernel/brake.bpf.h"

/* Wakes who arms: one item, four bytes, for each question. */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} linker_news SEC(".maps");

enum {
  R_DEBUG_STATE = 24, /* r_state of struct r_debug (<link.h>) */
  R_CONSISTENT = 0,   /* RT_CONSISTENT: all that was to be mapped is */
  WAIT_NS = 2000000,  /* at most, where a thread cannot be stopped: it keeps its CPU from everybody */
};

static __always_inline void tell_who_arms(__u32 what) { bpf_ringbuf_output(&linker_news, &what, sizeof(what), BPF_RB_FORCE_WAKEUP); }

struct answer {
  __u64 number, until_ns;
};
static long look_for_answer(void *map, __u32 *key, __u32 *value, struct answer *answer) {
  return *(volatile __u64 *)&pressure.linker_answered >= answer->number || bpf_ktime_get_ns() >= answer->until_ns;
}
static long look_again_for_answer(void *map, __u32 *key, __u32 *value, struct answer *answer) {
  bpf_for_each_map_elem(&steps, look_for_answer, answer, 0);
  return look_for_answer(map, key, value, answer);
}

/* `state`: the address of r_state. */
__noinline int at_linker(struct wire_mark *mark, __u64 state_at) {
  if (!mark || pressure.linker_unasked) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  __u32 state = ~0u;
  bpf_probe_read_user(&state, sizeof(state), (void *)state_at);
  if (state != R_CONSISTENT) { /* the tracer can be there by the time it is done */
    if (task->ptrace || pressure.tracer == 0) return 0;
    ask_for(task, mark);
    tell_who_arms(0);
    return 0;
  }
  struct answer answer = {.number = __sync_fetch_and_add(&pressure.linker_asked, 1) + 1};
  tell_who_arms(1);
  if (task->ptrace && (__u32)BPF_CORE_READ(task, parent, tgid) == pressure.tracer && hold(task, 0)) return 0;
  answer.until_ns = bpf_ktime_get_ns() + WAIT_NS;
  bpf_for_each_map_elem(&steps, look_again_for_answer, &answer, 0);
  return 0;
}
