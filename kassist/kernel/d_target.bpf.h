/* What changes the target: only in programs that may (-w). */
#pragma once

#include "kassist/kernel/d_memory.bpf.h"

__noinline int d_Raise(struct d_run *run, __u64 signal) {
  if (!run) return D_OK;
  return bpf_send_signal(signal) ? D_ILLEGAL_OPERATION : D_OK;
}

__noinline int d_CopyOut(struct d_run *run, __u64 from, __u64 to, __u64 bytes) {
  if (!run || !bytes) return D_OK;
  if (!has_scratch(run, from, bytes)) return D_BAD_ADDRESS;
  run->fault_address = to;
  if (bytes > D_SCRATCH) return D_BAD_ADDRESS;
  return bpf_probe_write_user((void *)to, scratch_at(run, from), bytes) ? D_BAD_ADDRESS : D_OK;
}

__noinline int d_CopyOutText(struct d_run *run, __u32 from, __u64 to, __u64 most) {
  if (!run) return D_OK;
  __u64 length = length_of(run, from), bytes = length + 1 < most ? length + 1 : most;
  if (!bytes) return D_OK;
  bytes_of(run, from)[length] = 0;
  run->fault_address = to;
  asm volatile("" : "+r"(bytes));
  if (bytes > D_TEXT_MOST) return D_BAD_ADDRESS;
  return bpf_probe_write_user((void *)to, bytes_of(run, from), bytes) ? D_BAD_ADDRESS : D_OK;
}
