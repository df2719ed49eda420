/* The dynamic linker says that it has mapped something: the thread waits until that is armed. */
#pragma once

#include "kassist/kernel/brake.bpf.h"
#include "kassist/kernel/hit_scratch.bpf.h"

/* Wakes who arms: the number of each question. */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} linker_news SEC(".maps");

enum {
  R_DEBUG_STATE = 24, /* r_state of struct r_debug (<link.h>) */
  R_CONSISTENT = 0,   /* RT_CONSISTENT: all that was to be mapped is */
  WAIT_NS = 2000000,  /* at most, where a thread cannot be stopped: it keeps its CPU from everybody */
};

/* What is waited for: an answer, or, of number 0, that somebody is the thread's tracer. */
struct wait {
  __u64 number, until_ns;
};
static long look_for_answer(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  if (bpf_ktime_get_ns() >= wait->until_ns) return 1;
  if (wait->number) return *(volatile __u64 *)&pressure.linker_answered >= wait->number;
  return bpf_get_current_task_btf()->ptrace != 0;
}
static long look_again_for_answer(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  bpf_for_each_map_elem(&steps, look_for_answer, wait, 0);
  return look_for_answer(map, key, value, wait);
}
__noinline int wait_for(__u64 number, __u64 most_ns) {
  struct wait wait = {number, bpf_ktime_get_ns() + most_ns};
  bpf_for_each_map_elem(&steps, look_again_for_answer, &wait, 0);
  return 0;
}

/* A record that says nothing new, so that the drain thread looks who was asked for. */
__noinline int wake_drain(struct wire_mark *mark) {
  if (!mark) return 0;
  struct hit_scratch *claimed = claim_scratch();
  if (!claimed) return 0;
  begin(&claimed->scratch, bpf_get_current_task_btf(), mark);
  claimed->scratch.record.at_ns = bpf_ktime_get_ns();
  send(&claimed->scratch, mark, WIRE_ABI);
  *(volatile __u32 *)&claimed->claimed = 0;
  return 0;
}

/* `state`: the address of r_state. */
__noinline int at_linker(struct wire_mark *mark, __u64 state_at) {
  if (!mark || pressure.linker_unasked) return 0;
  struct task_struct *task = bpf_get_current_task_btf();
  __u32 state = ~0u;
  bpf_probe_read_user(&state, sizeof(state), (void *)state_at);
  if (state != R_CONSISTENT) { /* the tracer is to be there by the time it is done */
    if (task->ptrace || pressure.tracer == 0) return 0;
    ask_for(task, mark);
    wake_drain(mark);
    return wait_for(0, WAIT_NS);
  }
  __u64 number = __sync_fetch_and_add(&pressure.linker_asked, 1) + 1;
  bpf_ringbuf_output(&linker_news, &number, sizeof(number), BPF_RB_FORCE_WAKEUP);
  if (task->ptrace && (__u32)BPF_CORE_READ(task, parent, tgid) == pressure.tracer && hold(task, 0)) return 0;
  return wait_for(number, WAIT_NS);
}
