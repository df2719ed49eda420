/* Divisions: BPF's own know no signs before version 4 of its instructions. */
#pragma once

#include "kassist/kernel/dtrace/core.bpf.h"

static __always_inline __u64 magnitude(__u64 value) { return (__s64)value < 0 ? -value : value; }

__noinline int d_DivideSigned(struct d_run *run, __u32 to, __u64 a, __u64 b) {
  if (!run) return D_OK;
  if (!b) return D_DIVIDE_BY_ZERO;
  __u64 quotient = magnitude(a) / magnitude(b);
  *integer(run, to) = ((__s64)a < 0) != ((__s64)b < 0) ? -quotient : quotient;
  return D_OK;
}

__noinline int d_ModuloSigned(struct d_run *run, __u32 to, __u64 a, __u64 b) {
  if (!run) return D_OK;
  if (!b) return D_DIVIDE_BY_ZERO;
  __u64 rest = magnitude(a) % magnitude(b);
  *integer(run, to) = (__s64)a < 0 ? -rest : rest;
  return D_OK;
}

__noinline int d_DivideUnsigned(struct d_run *run, __u32 to, __u64 a, __u64 b) {
  if (!run) return D_OK;
  if (!b) return D_DIVIDE_BY_ZERO;
  *integer(run, to) = a / b;
  return D_OK;
}

__noinline int d_ModuloUnsigned(struct d_run *run, __u32 to, __u64 a, __u64 b) {
  if (!run) return D_OK;
  if (!b) return D_DIVIDE_BY_ZERO;
  *integer(run, to) = a % b;
  return D_OK;
}
