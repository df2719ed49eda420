/* A thread waits in a program that may sleep, and lets others have the CPU meanwhile. */
#pragma once

#include "kassist/kernel/common/give_way.bpf.h"

enum { PATIENCE_NS = 1000000000 };

struct wait {
  __u64 until_ns;
  struct way way;
  __u32 number; /* of an arming request */
  __u32 wants;  /* the including object's */
};

/* Defined by the including object. */
static __always_inline int is_over(struct wait *wait);

#if MAY_SLEEP
static long look_giving_way(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  give_way(&wait->way);
  return is_over(wait);
}
static long go_on_giving_way(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  bpf_for_each_map_elem(&steps, look_giving_way, wait, 0);
  return is_over(wait);
}
/* 1024 squared looks take 70 ms. */
static long go_on_for_long(void *map, __u32 *key, __u32 *value, struct wait *wait) {
  bpf_for_each_map_elem(&steps, go_on_giving_way, wait, 0);
  return is_over(wait);
}
/* `readable`: an address in the thread's memory. */
__noinline int wait_patiently(__u32 wants, __u32 number, __u64 readable) {
  struct wait wait = {
      .until_ns = bpf_ktime_get_ns() + PATIENCE_NS, .way = {.readable = readable}, .number = number, .wants = wants};
  bpf_for_each_map_elem(&steps, go_on_for_long, &wait, 0);
  return 0;
}
#endif
