/* Hits of hardware breakpoints, which are perf events of the threads of watched processes and of those that these make.
 * An inherited event has no cookie: a hit finds its range by the process and the address. */
#pragma once

#include "kassist/kernel/dtrace/events.bpf.h"

/* struct bpf_perf_event_data of <linux/bpf_perf_event.h>. */
struct d_breakpoint_hit {
  struct hit_registers regs;
  __u64 period;
  __u64 address; /* the breakpoint's */
};

static __always_inline struct d_watched *watched_by(__u32 pid, __u64 address) {
  struct d_watched_key key = {.address = address, .pid = pid};
  return bpf_map_lookup_elem(&watched_memory, &key);
}

/* The range with the value: processes that share their memory have one. */
static __always_inline struct d_watched *keeper_of(struct d_watched *range, __u64 address) {
  struct d_watched *keeper = watched_by(range->memory, address);
  return keeper ? keeper : range;
}

SEC("dlang/watch")
int d_hook_watch(struct d_breakpoint_hit *hit) {
  __u64 given[D_ARGUMENTS] = {};
  given[0] = hit->address;
  __sync_fetch_and_add(&control.watch_hits, 1);
  if (is_left_out()) return 0;
  struct d_watched *range = watched_by(own_tgid(), given[0]);
  if (!range) {
    count_lost_hit();
    return 0;
  }
  if (range->bytes) {
    struct d_watched *keeper = keeper_of(range, given[0]);
    read_word(&given[1], range->bytes, given[0]);
    given[2] = __sync_lock_test_and_set(&keeper->value, given[1]);
    if (range->is_read && given[1] != given[2]) return 0;
  }
  if (!control.is_quiet) fire_given(range->probe, D_OF_CODE, given);
  return 0;
}

/* The child has the memory of the moment at which it was made, or shares it. */
SEC("dlang/watch_fork")
int d_hook_watch_fork(struct d_tracepoint *ctx) {
  struct task_struct___d *parent = (void *)ctx->args[0], *child = (void *)ctx->args[1];
  __u32 own = tgid_of_other(parent), pid = tgid_of_other(child);
  if (own == pid) return 0;
  int is_shared = BPF_CORE_READ(parent, mm) == BPF_CORE_READ(child, mm);
  for (int i = 0; i < D_WATCHED; i++) {
    struct d_watched_key key = {.address = control.watched[i], .pid = pid};
    struct d_watched *range = key.address ? watched_by(own, key.address) : 0;
    if (!range) continue;
    struct d_watched copy = *keeper_of(range, key.address);
    if (!is_shared) copy.memory = pid;
    bpf_map_update_elem(&watched_memory, &key, &copy, BPF_ANY);
  }
  return 0;
}

SEC("dlang/watch_exit")
int d_hook_watch_exit(struct d_tracepoint *ctx) {
  struct task_struct *task = (void *)ctx->args[0];
  if (BPF_CORE_READ(task, signal, live.counter)) return 0;
  struct d_watched_key key = {.pid = tgid_of_other(task)};
  for (int i = 0; i < D_WATCHED; i++) {
    key.address = control.watched[i];
    if (key.address) bpf_map_delete_elem(&watched_memory, &key);
  }
  return 0;
}
