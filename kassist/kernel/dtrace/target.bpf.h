/* Changes of the target: only in programs that may (-w). */
#pragma once

#include "kassist/kernel/dtrace/memory.bpf.h"

enum { D_SIGSTOP = 19 };

/* strut is never a target. */
static __always_inline int send_signal(struct d_run *run, __u64 signal) {
  if (run->hook == D_OF_STRUT) return D_ILLEGAL_OPERATION;
  return bpf_send_signal(signal) ? D_ILLEGAL_OPERATION : D_OK;
}

__noinline int d_Raise(struct d_run *run, __u64 signal) {
  if (!run) return D_OK;
  return send_signal(run, signal);
}

__noinline int d_Stop(struct d_run *run) {
  if (!run) return D_OK;
  return send_signal(run, D_SIGSTOP);
}

/* Looks at the clock, again and again. */
static long wait_on(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  return bpf_ktime_get_ns() >= *(volatile __u64 *)&(*holder)->loop.end;
}

static long wait_long(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  bpf_for_each_map_elem(&steps, wait_on, holder, 0);
  return bpf_ktime_get_ns() >= *(volatile __u64 *)&(*holder)->loop.end;
}

__noinline int d_Chill(struct d_run *run, __u64 ns) {
  if (!run) return D_OK;
  if (ns > D_LONGEST_CHILL) return D_ILLEGAL_OPERATION;
  run->loop.end = bpf_ktime_get_ns() + ns;
  turn(wait_long, run);
  return D_OK;
}

__noinline int d_CopyOut(struct d_run *run, __u64 from, __u64 to, __u64 bytes) {
  if (!run || !bytes) return D_OK;
  if (!has_scratch(run, from, bytes)) return D_BAD_ADDRESS;
  run->fault_address = to;
  if (run->hook == D_OF_STRUT) return D_BAD_ADDRESS;
  if (bytes > D_SCRATCH) return D_BAD_ADDRESS;
  return bpf_probe_write_user((void *)to, scratch_at(run, from), bytes) ? D_BAD_ADDRESS : D_OK;
}

__noinline int d_CopyOutText(struct d_run *run, __u32 from, __u64 to, __u64 most) {
  if (!run) return D_OK;
  __u64 length = length_of(run, from), bytes = length + 1 < most ? length + 1 : most;
  if (!bytes) return D_OK;
  bytes_of(run, from)[length] = 0;
  run->fault_address = to;
  if (run->hook == D_OF_STRUT) return D_BAD_ADDRESS;
  asm volatile("" : "+r"(bytes));
  if (bytes > D_TEXT_MOST) return D_BAD_ADDRESS;
  return bpf_probe_write_user((void *)to, bytes_of(run, from), bytes) ? D_BAD_ADDRESS : D_OK;
}
