/* Where programs of uprobes make their records. */
#pragma once

#include "kassist/kernel/common/record.bpf.h"
#if MAY_SLEEP
#include "kassist/kernel/common/wait_for_place.bpf.h"
#endif

/* A program of a uprobe can be preempted or sleep, and another thread come to a site on the same CPU. User space sets
 * how many there are: HITS_EACH for each CPU. */
enum { HITS_EACH = 8 };
struct hit_scratch {
  __u32 claimed, unused;
  struct scratch scratch;
};
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, HITS_EACH);
  __type(key, __u32);
  __type(value, struct hit_scratch);
} hit_scratches SEC(".maps");

/* Functions that return numbers: to the verifier it is one, whichever place it was. */
__noinline int is_claimed_now(__u32 place) {
  struct hit_scratch *one = bpf_map_lookup_elem(&hit_scratches, &place);
  return one && !one->claimed && __sync_val_compare_and_swap(&one->claimed, 0, 1) == 0;
}

/* The index; -1: none is free. */
__noinline int claim_place(void) {
  __u32 first = bpf_get_smp_processor_id() * HITS_EACH;
  for (int i = 0; i < HITS_EACH; i++)
    if (is_claimed_now(first + i)) return first + i;
  return -1;
}

static __always_inline struct hit_scratch *claim_scratch(void) {
  __u32 place = claim_place();
  return bpf_map_lookup_elem(&hit_scratches, &place);
}

/* For a program that may sleep. `readable`: an address in its thread's memory. */
static __always_inline struct hit_scratch *claim_scratch_patiently(__u64 readable) {
  __u32 place = claim_place();
#if MAY_SLEEP
  if ((int)place < 0) place = wait_for_place(readable);
#endif
  return bpf_map_lookup_elem(&hit_scratches, &place);
}
