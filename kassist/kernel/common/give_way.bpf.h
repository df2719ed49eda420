/* A program that waits in a loop lets others have the CPU now and then. */
#pragma once

enum { GIVE_WAY_EVERY_NS = 1000000 };

struct way {
  __u64 next_ns;
  __u64 readable; /* an address in the thread's memory */
};

/* Kernels that do not preempt programs schedule other threads while memory is copied so. This takes the lock of the
 * process's mappings: not in each turn, since inserting uprobes there takes it, too, for each of them. */
static __always_inline void give_way(struct way *way) {
  char byte;
  __u64 now = bpf_ktime_get_ns();
  if (now < way->next_ns) return;
  bpf_copy_from_user_task(&byte, sizeof(byte), (void *)way->readable, bpf_get_current_task_btf(), 0);
  way->next_ns = now + GIVE_WAY_EVERY_NS;
}
