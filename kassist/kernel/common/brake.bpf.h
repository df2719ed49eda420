/* The throttle of threads with records that find less and less room. */
#pragma once

#include "kassist/kernel/common/record.bpf.h"

enum {
  LOOKS = 64,
  SPINS = 16, /* a slowed thread looks at the ring so often, each time after so many clock readings: 30 microseconds */
  SIGNAL_PENDING = 1 << 2,   /* _TIF_SIGPENDING of <asm/thread_info.h> of the kernel */
  FIRST_RESTART_CODE = -516, /* ERESTART_RESTARTBLOCK of <linux/errno.h> of the kernel … */
  LAST_RESTART_CODE = -512,  /* … ERESTARTSYS */
};

static long look_at_ring(void *map, __u32 *key, __u32 *value, void *context) {
#pragma unroll
  for (int k = 0; k < SPINS; k++) bpf_ktime_get_ns();
  return *key >= LOOKS - 1 || bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) < control.throttle.ask_bytes;
}

/* Gives the drain thread time. A tracepoint's program cannot sleep; this one costs its CPU no more than a long
 * interrupt. */
__noinline int slow_down(void) {
  int none = 0;
  bpf_for_each_map_elem(&steps, look_at_ring, &none, 0);
  return 0;
}

static __always_inline void ask_for(struct task_struct *task, struct wire_mark *mark) {
  if (mark->asked == control.throttle.round) return;
  mark->asked = control.throttle.round;
  __u32 place = __sync_fetch_and_add(&control.throttle.asked, 1);
  control.throttle.wanted[place & (WIRE_WANTED - 1)] = tid_of(task);
  control.consumer.wake_bytes = 0; /* the next record does it */
}

/* The brake is its tracer. */
static __always_inline int is_brakes(struct task_struct *task) {
  if (!task->ptrace || tgid_of(task) == control.brake.spared || control.brake.leaving) return 0;
  return tgid_of_other(BPF_CORE_READ(task, parent)) == control.brake.tracer;
}

/* Stops the thread where the brake is its tracer: in its signal-delivery-stop, on its way out of this call. 0: not now,
 * since the marker would wait, and the target could see it: it is blocked, or signals are there already, or the call is
 * to be restarted. */
static __always_inline int hold(struct task_struct *task, long result) {
  if (task->thread_info.flags & SIGNAL_PENDING) return 0;
  if (task->blocked.sig[0] & (1ul << (WIRE_MARKER - 1))) return 0;
  if (result >= FIRST_RESTART_CODE && result <= LAST_RESTART_CODE) return 0;
  __u32 tid = tid_of(task), *marker = &control.brake.markers[tid & (WIRE_MARKERS - 1)];
  if (*marker && *marker != tid) return 0;
  *marker = tid;
  if (bpf_send_signal_thread(WIRE_MARKER) == 0) return 1;
  *marker = 0;
  return 0;
}

/* Called at the very end of a call, when its record was sent. */
__noinline int brake(struct wire_mark *mark, __u32 fill, long result) {
  struct task_struct *task = bpf_get_current_task_btf();
  if (!mark) return 0;
  if (!task->ptrace) ask_for(task, mark);
  else if (fill < control.throttle.hold_bytes) return 0;
  else if (is_brakes(task) && hold(task, result)) return 0;
  slow_down();
  return fill < control.throttle.hold_bytes ? 0 : slow_down() + slow_down() + slow_down();
}
