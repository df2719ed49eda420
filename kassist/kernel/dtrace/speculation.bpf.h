/* Speculations: their numbers, and which of them take records. User space keeps the records, and frees numbers. */
#pragma once

#include "kassist/kernel/dtrace/core.bpf.h"

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 1); /* nspec */
  __type(key, __u32);
  __type(value, __u32); /* enum d_speculation */
} speculations SEC(".maps");

__noinline int d_Speculation(struct d_run *run, __u32 to) {
  if (!run) return 0;
  __u32 number = __sync_fetch_and_add(&control.last_speculation, 1) + 1, open = D_SPECULATION_OPEN;
  if (bpf_map_update_elem(&speculations, &number, &open, BPF_NOEXIST)) {
    __sync_fetch_and_add(&control.failed_speculations, 1);
    number = 0;
  }
  *integer(run, to) = number;
  return D_OK;
}

static __always_inline __u32 *speculation_of(__u64 number) {
  __u32 key = number;
  return number >> 32 ? 0 : bpf_map_lookup_elem(&speculations, &key);
}

__noinline int d_Speculate(struct d_run *run, __u32 to, __u64 number) {
  if (!run) return 0;
  __u32 *state = speculation_of(number);
  *integer(run, to) = state && *(volatile __u32 *)state == D_SPECULATION_OPEN;
  return D_OK;
}

/* One of two CPUs ends it. */
__noinline int d_EndSpeculation(struct d_run *run, __u32 to, __u64 number) {
  if (!run) return 0;
  __u32 *state = speculation_of(number);
  *integer(run, to) =
      state && __sync_val_compare_and_swap(state, D_SPECULATION_OPEN, D_SPECULATION_ENDED) == D_SPECULATION_OPEN;
  return D_OK;
}
