/* stack(), stackdepth: the kernel's frames, from the code that the probe is in. */
#pragma once

#include "kassist/kernel/dtrace/key.bpf.h"

enum { D_KERNEL_FRAMES = 128, D_KERNEL_BYTES = D_KERNEL_FRAMES * 8 };

/* loop.at: the first frame that is not the probe's own; loop.end: how many there are. */
static long pass_own_frame(void *map, __u32 *key, __u32 *value, struct d_run **holder) {
  struct d_run *run = *holder;
  struct d_loop *loop = &run->loop;
  if (loop->at >= loop->end) return 1;
  __u64 frame = ((__u64 *)run->temp)[loop->at & (D_KERNEL_FRAMES - 1)];
  if (run->hook == D_OF_PROFILES && frame == run->args[0]) return 1; /* the function that the timer interrupted */
  loop->at++;
  return run->hook != D_OF_PROFILES && frame >= trace_run_start && frame < trace_run_end;
}

/* Puts frames into temp; how many there are from loop.at on. Code probes and strut itself have none, nor has a user's
 * code that a timer interrupted. */
__noinline int kernel_frames(struct d_run *run) {
  if (!run || caller.is_restricted) return 0; /* kernel addresses are not for ordinary users */
  int has_some =
      run->hook == D_OF_PROFILES ? run->args[0] != 0 : run->hook != D_OF_CODE && run->hook != D_OF_STRUT;
  if (!has_some) return 0;
  long bytes = bpf_get_task_stack(bpf_get_current_task_btf(), run->temp, D_KERNEL_BYTES, 0);
  if (bytes <= 0) return 0;
  run->loop.at = 0;
  run->loop.end = bytes / 8;
  turn(pass_own_frame, run);
  __u64 at = *(volatile __u64 *)&run->loop.at;
  if (at >= run->loop.end && run->hook == D_OF_PROFILES) return 0; /* only the timer's own are known */
  if (at >= run->loop.end) run->loop.at = at = 0; /* not found: all of them */
  return run->loop.end - at;
}

static __always_inline void copy_frames(struct d_run *run, void *to, __u64 count) {
  __u64 bytes = count * 8, at = run->loop.at & (D_KERNEL_FRAMES - 1);
  asm volatile("" : "+r"(bytes));
  if (bytes <= D_KERNEL_BYTES) bpf_probe_read_kernel(to, bytes, run->temp + at * 8);
}

static __always_inline __u64 frames_of(struct d_run *run, __u64 most) {
  __u64 count = kernel_frames(run);
  return count < most ? count : most;
}

__noinline int d_PutKernelStack(struct d_run *run, __u64 most) {
  if (!run) return D_OK;
  __u64 count = frames_of(run, most);
  put_word(run, 0);
  put_word(run, count);
  if (count) copy_frames(run, record_at(run, room_for(run, count * 8)), count);
  return D_OK;
}

/* As a key of a tuple that goes out as a record. */
__noinline int d_outside_kernel_stack(struct d_run *run, __u64 most) {
  if (!run) return D_OK;
  __u64 count = frames_of(run, most);
  d_outside_word(run, 0);
  d_outside_word(run, count);
  if (count) copy_frames(run, &run->keys[key_room(run, count * 8)], count);
  return D_OK;
}

__noinline int d_builtin_Stackdepth(struct d_run *run, __u32 to) {
  if (run) *integer(run, to) = kernel_frames(run);
  return D_OK;
}
