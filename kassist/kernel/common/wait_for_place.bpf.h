/* All scratch buffers of this CPU are in use, for example by threads that wait for a page while another thread maps
 * memory or code is armed. A sleepable program waits for one. */
#pragma once

#include "kassist/kernel/common/give_way.bpf.h"

/* A buffer may be in use for as long as a process does not provide a page (userfaultfd(2)). */
#define PLACE_PATIENCE_NS 10000000000ull

/* Defined by the including file: the index of a buffer, which is the caller's now; -1: none is free. */
int claim_place(void);

struct claim {
  __u64 until_ns;
  struct way way;
  int place;
};

static long claim_giving_way(void *map, __u32 *key, __u32 *value, struct claim *claim) {
  give_way(&claim->way);
  claim->place = claim_place();
  return claim->place >= 0 || bpf_ktime_get_ns() >= claim->until_ns;
}
static long go_on_claiming(void *map, __u32 *key, __u32 *value, struct claim *claim) {
  bpf_for_each_map_elem(&steps, claim_giving_way, claim, 0);
  return claim->place >= 0 || bpf_ktime_get_ns() >= claim->until_ns;
}

/* `readable`: an address in the thread's memory. -1: none came free. */
__noinline int wait_for_place(__u64 readable) {
  struct claim claim = {.until_ns = bpf_ktime_get_ns() + PLACE_PATIENCE_NS, .way = {.readable = readable}, .place = -1};
  bpf_for_each_map_elem(&steps, go_on_claiming, &claim, 0);
  return claim.place;
}
