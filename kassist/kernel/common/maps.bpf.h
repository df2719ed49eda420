/* State that the programs share: followed threads, plans, the ring. */
#pragma once

#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "kassist/kernel/common/types.h"
#include "kassist/wire/caller_wire.h"
#include "kassist/wire/wire.h"

/* A mark follows a thread; the kernel drops it with the thread. */
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct wire_mark);
} marks SEC(".maps");

/* By abi * WIRE_CALLS + number. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, WIRE_ABIS * WIRE_CALLS);
  __type(key, __u32);
  __type(value, struct wire_plan);
} plans SEC(".maps");

/* The ops of all plans. */
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, WIRE_OPS);
  __type(key, __u32);
  __type(value, struct wire_op);
} ops SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, WIRE_BUCKETS);
  __type(key, __u32);
  __type(value, struct wire_bucket);
} command_plans SEC(".maps");

/* bpf_for_each_map_elem() over this is a loop of at most LOOP_STEPS that the verifier walks once. bpf_loop() is younger
   than the oldest kernels to run on. */
enum { LOOP_STEPS = 1024 };
struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, LOOP_STEPS);
  __type(key, __u32);
  __type(value, __u32);
} steps SEC(".maps");

/* User space sets the size before loading. */
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 16 << 20);
} ring SEC(".maps");

/* Processes and threads to follow: their ids, and enum wire_seeding. User space sets the size. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
} seeds SEC(".maps");

const volatile __u32 follow_children = 0; /* enum wire_follow */
/* Whether untraced threads are expected in a process with a followed leader: not where whole processes are followed. */
const volatile __u32 strangers = 0;
/* Bytes of a lane; 0: there are none. */
const volatile __u32 lane_bytes = 0;
/* Whether the return time of a call in a lane is needed; else the entry time stands for it. */
const volatile __u32 return_times = 0;
/* Whether one thread alone is followed from the beginning, and no task storage is asked for its mark. */
const volatile __u32 alone = 0;
/* Whether the kernel can type pointers (cast.bpf.h). */
const volatile __u32 can_cast = 0;
/* Whether the kernel can run a function when the current thread returns to user mode (late.bpf.h). */
const volatile __u32 has_task_work = 0;

#ifdef STRUT_PLAIN /* an object of its own for runs that ask for none of this: the kernel's work grows with all code, \
                      dead or not */
enum {
  around = 0,
  detach_on_exec = 0,
  measure_system_time = 0,
  stack_bytes = 0,
  frames_only = 0,
  signal_state_bytes = 0,
  finds_areas = 0
};
static const struct wire_choice choice = {};
static const struct wire_caller caller = {};
#else
/* enum wire_around: the requested kinds of context. Code for the others is dead, and the verifier drops it. */
const volatile __u32 around = 0;
const volatile __u32 detach_on_exec = 0;
const volatile __u32 measure_system_time = 0;
/* At most so many bytes of each event's user stack; 0: stacks are not asked for. */
const volatile __u32 stack_bytes = 0;
/* Copies only the parts of a stack that frame pointers lead to. */
const volatile __u32 frames_only = 0;
/* The size of vector registers in a signal frame (asm/sigcontext.h: extended_size); 0: unknown. */
const volatile __u32 signal_state_bytes = 0;
/* area.bpf.h */
const volatile __u32 finds_areas = 0;
const volatile struct wire_choice choice = {};
const volatile struct wire_caller caller = {};
#endif

#include "kassist/kernel/common/numbering.bpf.h"

/* Where strut's own root directory is: paths end there. Zero: not learned. */
__u64 own_root_mount = 0, own_root_dentry = 0;

/* Events that found no room, by tid. Empty in a run that loses nothing. The kernel takes 8 microseconds for a thousand
 * places. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 16384);
  __type(key, __u32);
  __type(value, struct wire_loss);
} losses SEC(".maps");

/* The initial value of its entries. */
struct wire_loss no_loss = {};

/* A section of its own: a map of its own, that user space maps. */
struct wire_control control SEC(".data.control");

/* Whether the trace has ended, so that nothing is reported any more. */
static __always_inline int has_ended(void) { return *(volatile __u32 *)&control.ended == WIRE_ALL_ENDED; }

/* The mark of a thread; 0: it has none. To find one in task storage takes the kernel some ten nanoseconds. */
static __always_inline struct wire_mark *mark_of(struct task_struct *task) {
  if (alone) return tid_of(task) == control.lone.thread ? &control.lone.mark : 0;
  return bpf_task_storage_get(&marks, task, 0, 0);
}

/* The mark of a thread that the caller may see. */
static __always_inline struct wire_mark *visible_mark_of(struct task_struct *task) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, 0);
  return mark && may_see(task) ? mark : 0;
}

static __always_inline void count_thread(struct wire_mark *mark, int more) {
  __sync_fetch_and_add(&control.marks.crowds[wire_crowd_of(*(volatile __u64 *)&mark->registers)], more);
}

/* The mark of a thread that has none yet; 0: there is no memory for it. */
static __always_inline struct wire_mark *made_mark(struct task_struct *task) {
  struct wire_mark *mark = bpf_task_storage_get(&marks, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (!mark) return 0;
  mark->registers = (__u64)bpf_task_pt_regs(task); /* read again it is a number, that can be reckoned with */
  count_thread(mark, 1);
  return mark;
}

/* Whether the thread with these registers may have a mark. This is the cost of each call of an untraced thread. */
static __always_inline int may_have_mark(__u64 registers) {
  return control.marks.crowds[wire_crowd_of(registers)] || control.marks.uncounted;
}

/* Behind the last moment, and not before the drain's last look. */
static __always_inline __u64 counted_moment(__u64 step) {
  __u64 last = control.lone.moment, earliest = control.clock.earliest_ns;
  return (last < earliest ? earliest : last) + step;
}

/* The time of an event of the current thread, for records. Counting takes a tenth of the clock's time: no other
 * thread counts, so that it needs no lock. */
static __always_inline __u64 moment(void) {
  return control.clock.is_counted ? (control.lone.moment = counted_moment(2)) : bpf_ktime_get_ns();
}

/* When another thread does something to the one that is followed: between two moments of that one. */
static __always_inline __u64 moment_of_another(void) {
  return control.clock.is_counted ? counted_moment(1) : bpf_ktime_get_ns();
}
