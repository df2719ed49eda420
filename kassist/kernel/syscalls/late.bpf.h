/* Memory that a call's record lacks because its page was not present, and that the call itself did not read either:
 * the kernel refused the call before that (seccomp, invalid flags), or its file ignores the data. A program of a
 * tracepoint must not sleep, so that it cannot bring a page in. It schedules a task work (Linux 6.18), which the
 * kernel runs in the thread before that returns to user mode: it may sleep, and sends what it reads in a WIRE_LATE.
 * The call's record does not wait for it: the call of a thread that is killed before is not lost. Older kernels have
 * no such work; has_task_work is 0 there. */
#pragma once

#include "kassist/kernel/syscalls/capture.bpf.h"

/* Defined by the kernel: eight bytes that are its own, known by the name of the type. */
struct bpf_task_work {
  __u64 opaque;
} __attribute__((aligned(8)));

/* The memory that the work reads. */
struct unread {
  struct misses misses;
  __u64 regs[WIRE_REGS]; /* for the call */
};

struct late {
  struct bpf_task_work work;
  __u64 sequence; /* for the thread, as long as it had no event since the call */
  struct unread unread;
};

/* By tid. An element is there from the call's return to the end of the work, or of the thread. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 4096);
  __type(key, __u32);
  __type(value, struct late);
} lates SEC(".maps");

/* The first content of an element, as bytes: the verifier refuses a variable that has a bpf_task_work in it. */
char no_late[sizeof(struct late)] = {};

/* A work can be preempted by another one on the same CPU, which then sends nothing. */
struct late_scratch {
  __u32 claimed, unused;
  struct scratch scratch;
};
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct late_scratch);
} late_scratches SEC(".maps");

/* The loader puts bpf_task_work_schedule_resume() in the place of this number. 0: the work is scheduled. */
typedef int (*work_function)(void *map, __u32 *key, struct late *late);
static int (*const schedule_work)(struct task_struct* task, struct bpf_task_work* work, void* map,
                                  work_function function, void* program) = (void*)WIRE_SCHEDULE_WORK;

/* Pages may lead to others: a vector's to its strings, a string to its rest. */
enum { LATE_ROUNDS = 3 };

/* Runs the plan of the current thread's call once more, sends the bytes, and replaces the misses by the present
 * ones. */
__noinline int run_again(struct wire_mark *mark, struct unread *unread, int is_last) {
  if (!has_task_work || !mark || !unread) return 0;
  __u32 first = 0;
  struct late_scratch *one = bpf_map_lookup_elem(&late_scratches, &first);
  if (!one || __sync_val_compare_and_swap(&one->claimed, 0, 1) != 0) return 0;
  struct scratch *scratch = &one->scratch;
  begin(scratch, bpf_get_current_task_btf(), mark);
  scratch->record.at_ns = mark->entered_ns;
  for (int i = 0; i < WIRE_REGS; i++) scratch->record.regs[i] = unread->regs[i];
  if (unread->misses.phases & WIRE_MEMORY) run_at_enter(scratch, mark);
  if (unread->misses.phases & WIRE_RESULTS) run_at_exit(scratch, mark);
  if (is_last || !unread->misses.brought) scratch->misses.count = 0; /* the others are not there */
  unread->misses = scratch->misses;
  if (unread->misses.count) scratch->record.flags |= WIRE_AWAITS_LATE;
  send(scratch, mark, WIRE_LATE);
  *(volatile __u32 *)&one->claimed = 0;
  return 0;
}

/* Says in `brought` whether there is one of the pages: in memory, where the verifier does not follow it. Reading an
 * address that nothing is mapped at sends no signal. */
static __always_inline void bring_in_pages(struct misses *misses) {
  char byte;
  misses->brought = 0;
  for (int i = 0; i < MAX_MISSES; i++) {
    if (i >= (int)misses->count) return;
    if (bpf_copy_from_user(&byte, sizeof(byte), (void *)misses->at[i]) == 0) misses->brought = 1;
  }
}

/* The work: it runs in the thread, which may be exiting. */
static int send_late(void *map, __u32 *key, struct late *late) {
  struct wire_mark *mark = mark_of(bpf_get_current_task_btf());
  if (mark && !has_ended() && mark->sequence == late->sequence) {
    for (int i = 0; i < LATE_ROUNDS; i++) {
      bring_in_pages(&late->unread.misses);
      run_again(mark, &late->unread, i == LATE_ROUNDS - 1);
      if (!*(volatile __u32 *)&late->unread.misses.count) break;
    }
    mark->late = 0;
  }
  bpf_map_delete_elem(&lates, key);
  return 0;
}

/* The thread exits: its work is over, or will find nothing to read. */
static __always_inline void forget_late(__u32 tid) { bpf_map_delete_elem(&lates, &tid); }

/* The current thread's call returns, and its record, which is about to be sent, lacks memory. */
static __always_inline int read_late(struct scratch *scratch, struct wire_mark *mark) {
  if (!has_task_work || !scratch || !mark || (scratch->record.flags & WIRE_DYING)) return 0;
  bpf_map_update_elem(&lates, &scratch->record.tid, &no_late, BPF_ANY);
  struct late *late = bpf_map_lookup_elem(&lates, &scratch->record.tid);
  if (!late) return 0;
  late->sequence = mark->sequence + 1; /* the call's record takes one */
  late->unread.misses = scratch->misses;
  for (int i = 0; i < WIRE_REGS; i++) late->unread.regs[i] = scratch->record.regs[i];
  mark->late = 1;
  if (schedule_work(bpf_get_current_task_btf(), &late->work, &lates, send_late, 0) == 0)
    scratch->record.flags |= WIRE_AWAITS_LATE;
  return 0;
}
