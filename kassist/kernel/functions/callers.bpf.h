/* Whether a call comes from code with wanted calls. Uncertain calls are reported: user space checks again. */
#pragma once

#include "kassist/kernel/common/stack.bpf.h"

/* The files with wanted calls, by inode. Not an array: the verifier walks each turn of a search. */
struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, WIRE_CALLERS);
  __type(key, __u64);
  __type(value, __u8);
} callers SEC(".maps");

/* Flavours (libbpf: what follows ___ is ignored) with the members used here. */
struct inode___number {
  unsigned long i_ino;
} RELOCATED;
struct file___number {
  struct inode___number *f_inode;
} RELOCATED;
struct mm_struct___program {
  unsigned long start_code, end_code;
  struct file *exe_file;
} RELOCATED;

/* Jumps out of modules with wanted calls: an entry with the same stack pointer is called from there, wherever it
 * returns to, and so are the targets of its own jumps. */
enum { OUTWARD_FRAMES = 4 };
struct outward {
  __u64 frames[OUTWARD_FRAMES]; /* for the function that is entered next, or was; with HAS_RETURNED once it has
                                   returned: other functions' returns may be seen at the same instruction; 0: none */
  __u32 too_many, unused;       /* 1: there were more of them */
};
#define HAS_RETURNED 1ull /* frames are aligned */
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct outward);
} outwards SEC(".maps");

static __always_inline void keep_frame(struct outward *outward, __u64 frame) {
  for (int i = 0; i < OUTWARD_FRAMES; i++) {
    __u64 kept = outward->frames[i];
    if (kept && !(kept & HAS_RETURNED) && kept != frame) continue;
    outward->frames[i] = frame;
    return;
  }
  outward->too_many = 1;
}

/* A signal may come before the entry: its handler's jumps go to other frames. */
static __always_inline void note_outward(struct task_struct *task, __u64 frame) {
  struct outward *outward = bpf_task_storage_get(&outwards, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (outward) keep_frame(outward, frame);
}

/* An entry there. 1: it was jumped to from a wanted module, or, perhaps, from a function that was. */
static __always_inline int was_jumped_to(struct task_struct *task, __u64 frame) {
  struct outward *outward = bpf_task_storage_get(&outwards, task, 0, 0);
  if (!outward) return 0;
  for (int i = 0; i < OUTWARD_FRAMES; i++) {
    if (outward->frames[i] == frame) return 1;
    if (outward->frames[i] == (frame | HAS_RETURNED)) outward->frames[i] = 0;
  }
  return outward->too_many;
}

/* A return from there. 1: perhaps of such a one. */
static __always_inline int returns_outward(struct task_struct *task, __u64 frame) {
  struct outward *outward = bpf_task_storage_get(&outwards, task, 0, 0);
  if (!outward) return 0;
  for (int i = 0; i < OUTWARD_FRAMES; i++) {
    if ((outward->frames[i] | HAS_RETURNED) != (frame | HAS_RETURNED)) continue;
    outward->frames[i] = frame | HAS_RETURNED;
    return 1;
  }
  return outward->too_many;
}

static __always_inline int is_wanted_file(__u64 file) {
  struct file___number *numbered = (void *)file;
  __u64 inode = BPF_CORE_READ(numbered, f_inode, i_ino);
  return bpf_map_lookup_elem(&callers, &inode) != 0;
}

/* A file mapped through another file system (overlayfs) has another inode number than the opened file. */
static __always_inline int is_backing(__u64 file) {
  struct file___mode *mode = (void *)file;
  return BPF_CORE_READ(mode, f_mode) & FILE_IS_BACKING;
}

/* `back`: where the call returns to. */
__noinline int may_be_wanted(__u64 back) {
  struct task_struct *task = bpf_get_current_task_btf();
  struct mm_struct___program *memory = (void *)own_memory();
  __u64 program = (__u64)BPF_CORE_READ(memory, exe_file);
  if (!program || is_backing(program)) return 1;
  if (back >= BPF_CORE_READ(memory, start_code) && back < BPF_CORE_READ(memory, end_code))
    return is_wanted_file(program);
  struct area area = {};
  if (find_area(task, back, note_area, &area)) return 1;
  if (back >= area.end || back < area.start) return 0;
  /* Another tool's uretprobe has put the kernel's trampoline there. */
  if (!area.file) return 1;
  return is_backing(area.file) || is_wanted_file(area.file);
}

/* `frame`: where `back` is kept. */
__noinline int is_of_wanted_caller(__u64 frame, __u64 back, int is_entry) {
  if (may_be_wanted(back)) return 1;
  struct task_struct *task = bpf_get_current_task_btf();
  return is_entry ? was_jumped_to(task, frame) : returns_outward(task, frame);
}
