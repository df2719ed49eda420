/* The current floating-point registers of a thread.
 *
 * The CPU has them, and no program can look at them there. But the kernel writes them to memory when the thread is
 * switched away, and nothing changes them until it is back in user mode. So the program wakes a thread of strut's
 * that runs first (kassist/transport/switches), reschedules, and finds them saved. If no other thread ran in
 * between, they are not captured. */
#pragma once

#include "kassist/kernel/common/record.bpf.h"

/* Flavours (libbpf: what follows ___ is ignored) with the members used here. */
union fpregs_state {
  unsigned char bytes[1];
} RELOCATED;
struct fpstate {
  unsigned int size;
  union fpregs_state regs;
} RELOCATED;
struct fpu {
  struct fpstate *fpstate; /* since Linux 5.16 */
} RELOCATED;
struct thread_struct___before {
  struct fpu fpu; /* before 6.16; then it lies behind the task */
} RELOCATED;
struct task_struct___before {
  struct thread_struct___before thread;
} RELOCATED;
struct task_struct___switched {
  unsigned long nvcsw, nivcsw;
} RELOCATED;

/* The layout of xsave(1)'s area. */
enum { AT_X87 = 32, AT_VECTORS = 160, AT_FEATURES = 512, XSAVE_BYTES = 576, ALL_FEATURES = 3 };

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} switches_0 SEC(".maps");
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} switches_1 SEC(".maps");
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} switches_2 SEC(".maps");
struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);
} switches_3 SEC(".maps");

static __always_inline void wake(void *ring) {
  __u64 nothing = 0;
  bpf_ringbuf_output(ring, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

static __always_inline void wake_first(void) {
  switch (bpf_get_smp_processor_id() % WIRE_SWITCHES) {
    case 0: return wake(&switches_0);
    case 1: return wake(&switches_1);
    case 2: return wake(&switches_2);
    default: return wake(&switches_3);
  }
}

static __always_inline __u64 switches_of(struct task_struct___switched *task) {
  return BPF_CORE_READ(task, nvcsw) + BPF_CORE_READ(task, nivcsw);
}

/* 1: the thread was switched away and is back. `readable`: an address in its memory. */
static __always_inline int is_switched(struct task_struct *task, __u64 readable) {
  struct task_struct___switched *thread = (void *)task;
  __u64 before = switches_of(thread);
  char byte;
  wake_first();
  bpf_copy_from_user_task(&byte, sizeof(byte), (void *)readable, task, 0);
  return switches_of(thread) != before;
}

static __always_inline struct fpstate *saved_state(struct task_struct *task) {
  struct task_struct___before *before = (void *)task;
  struct fpu *fpu = (void *)task + bpf_core_type_size(struct task_struct);
  if (bpf_core_field_exists(before->thread.fpu)) fpu = (void *)task + bpf_core_field_offset(before->thread.fpu);
  return bpf_core_field_exists(fpu->fpstate) ? BPF_CORE_READ(fpu, fpstate) : 0;
}

static __always_inline void read_floatings(struct wire_floatings *to, struct fpstate *state) {
  void *at = (void *)state + bpf_core_field_offset(state->regs);
  to->features = ALL_FEATURES;
  if (BPF_CORE_READ(state, size) >= XSAVE_BYTES)
    bpf_probe_read_kernel(&to->features, sizeof(to->features), at + AT_FEATURES);
  bpf_probe_read_kernel(to->x87, sizeof(to->x87), at + AT_X87);
  bpf_probe_read_kernel(to->vectors, sizeof(to->vectors), at + AT_VECTORS);
}

/* Where the thread was switched away, they are. */
__noinline int append_floatings(struct scratch *scratch, struct wire_mark *mark) {
  if (!scratch || !mark) return 0;
  struct fpstate *state = saved_state(bpf_get_current_task_btf());
  if (!state) return 0;
  struct wire_chunk *chunk = new_chunk(scratch, mark);
  *chunk = (struct wire_chunk){
      .kind = WIRE_FLOATINGS, .bytes = sizeof(struct wire_floatings), .asked = sizeof(struct wire_floatings)};
  read_floatings((void *)(chunk + 1), state);
  end_chunk(scratch, sizeof(struct wire_floatings));
  return 0;
}
