/* The bucket of a value, and other arithmetic of aggregations, as in dlang/output/aggregate.cpp. */
#pragma once

#include "kassist/kernel/dtrace/core.bpf.h"

static __always_inline int bits_of(__u64 value) {
  int bits = 0;
  for (int step = 32; step > 0; step >>= 1)
    if (value >> step) {
      bits += step;
      value >>= step;
    }
  return bits + (value != 0);
}

/* quantize() */
__noinline int d_power_bucket(struct d_run *run, __u64 value) {
  if (!run) return 0;
  if ((__s64)value >= 0) return 63 + bits_of(value);
  int bits = bits_of(-value);
  return 63 - (bits < 63 ? bits : 63);
}

/* lquantize(): low, step and how many steps there are. */
__noinline int d_linear_bucket(struct d_run *run, __u64 value, __s32 low, __s32 step, __s32 steps) {
  if (!run || (__s64)value < low || step <= 0) return 0;
  __u64 at = (value - (__u64)(__s64)low) / (__u32)step;
  return (at < (__u32)steps ? at : (__u32)steps) + 1;
}

/* llquantize(): the bucket of d_run::value, an amount. loop.count: the buckets of lower magnitudes and one; loop.word:
 * the magnitude's lowest value; loop.found: the bucket. */
struct d_logarithm {
  struct d_run *run;
  __s32 factor, low, high, step;
};

static long next_magnitude(void *map, __u32 *key, __u32 *value, struct d_logarithm *log) {
  struct d_loop *loop = &log->run->loop;
  __s64 at = *key, low = loop->word, above = low * log->factor, taken = log->run->value;
  if (at > log->high) return 1;
  loop->word = above;
  if (at < log->low) return 0;
  __u32 step = log->step > 0 ? log->step : 1;
  /* above is negative where the multiplication wrapped: division is signed in D. */
  __s64 width = above < 0 ? -(__s64)((__u64)-above / step) : (__s64)((__u64)above / step);
  if (width < 1) width = 1;
  __s64 range = above - low + width - 1;
  __s64 buckets = range < 0 ? -(__s64)((__u64)-range / (__u64)width) : (__s64)((__u64)range / (__u64)width);
  if (taken < low) {
    loop->found = loop->count == 1 ? 0 : loop->count - 1;
    return 1;
  }
  if (taken - low < buckets * width && taken < above) {
    loop->found = loop->count + (__u64)(taken - low) / (__u64)width;
    return 1;
  }
  loop->count += buckets;
  return 0;
}

__noinline int d_log_bucket(struct d_run *run, __s32 factor, __s32 low, __s32 high, __s32 step) {
  if (!run) return 0;
  struct d_logarithm log = {run, factor, low, high, step};
  run->loop.count = run->loop.word = 1;
  run->loop.found = ~0ull;
  bpf_for_each_map_elem(&steps, next_magnitude, &log, 0);
  __u64 found = *(volatile __u64 *)&run->loop.found;
  return found == ~0ull ? run->loop.count : found;
}

/* stddev(): d_run::square becomes the 128 bits of value * value, low half first. */
__noinline int d_square(struct d_run *run, __u64 value) {
  if (!run) return 0;
  __u64 x = (__s64)value < 0 ? -value : value, low = (__u32)x, high = x >> 32;
  __u64 middle = low * high, bottom = low * low, top = high * high;
  __u64 sum = bottom + (middle << 33);
  run->square[0] = sum;
  run->square[1] = top + (middle >> 31) + (sum < bottom);
  return 0;
}
